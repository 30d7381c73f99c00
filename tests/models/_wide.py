"""More architectures of transformers, small and random, each tried at one opset."""

from __future__ import annotations

import torch
import transformers

from models._zoo import Entry, pixels, tokens

__all__ = ["WIDE"]

_TEXT = {0: "batch", 1: "sequence"}
_TARGET = {0: "batch", 1: "target"}
_IMAGES = {"pixel_values": {0: "batch"}}
_IDS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}


def _config(architecture: str, **options: object) -> transformers.PretrainedConfig:
    """A configuration; its class is looked up by name, since its generated signature has no types for all."""
    made: transformers.PretrainedConfig = getattr(transformers, f"{architecture}Config")(**options)
    return made


def _model(name: str, config: transformers.PretrainedConfig) -> torch.nn.Module:
    model: torch.nn.Module = getattr(transformers, name)(config)
    return model


def _tokens() -> dict[str, torch.Tensor]:
    return tokens(lowest=max(_IDS.values()) + 1)


def _pair() -> dict[str, torch.Tensor]:
    return {**_tokens(), "decoder_input_ids": torch.randint(3, 90, (2, 5))}


def _decoder(name: str, **options: int) -> Entry:
    def make() -> torch.nn.Module:
        config = getattr(transformers, f"{name}Config")(
            vocab_size=100,
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            intermediate_size=64,
            use_cache=False,
            **_IDS,
            **options,
        )
        model: torch.nn.Module = getattr(transformers, f"{name}ForCausalLM")(config)
        return model

    return Entry(name.lower(), make, _tokens, {"input_ids": _TEXT, "attention_mask": _TEXT})


def _t5() -> torch.nn.Module:
    config = _config(
        "T5",
        vocab_size=100,
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=2,
        num_heads=4,
        use_cache=False,
        decoder_start_token_id=0,
    )
    return _model("T5ForConditionalGeneration", config)


_SIDES = {
    "vocab_size": 100,
    "d_model": 32,
    "encoder_layers": 2,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
}


def _bart() -> torch.nn.Module:
    config = _config("Bart", max_position_embeddings=64, use_cache=False, **_SIDES)
    return _model("BartModel", config)


def _whisper() -> torch.nn.Module:
    config = _config(
        "Whisper",
        num_mel_bins=8,
        max_source_positions=30,
        max_target_positions=40,
        use_cache=False,
        decoder_start_token_id=1,
        **_SIDES,
        **_IDS,
    )
    return _model("WhisperModel", config)


def _swin() -> torch.nn.Module:
    config = _config(
        "Swin", image_size=32, patch_size=4, embed_dim=16, depths=[1, 1], num_heads=[2, 2], window_size=4
    )
    return _model("SwinModel", config)


def _beit() -> torch.nn.Module:
    config = _config(
        "Beit",
        image_size=32,
        patch_size=8,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
    )
    return _model("BeitModel", config)


def _convnext() -> torch.nn.Module:
    config = _config("ConvNext", hidden_sizes=[16, 32], depths=[1, 1], num_stages=2)
    return _model("ConvNextModel", config)


def _segformer() -> torch.nn.Module:
    config = _config(
        "Segformer",
        depths=[1, 1, 1, 1],
        hidden_sizes=[8, 16, 24, 32],
        num_attention_heads=[1, 2, 4, 4],
        decoder_hidden_size=16,
    )
    return _model("SegformerForSemanticSegmentation", config)


def _detr() -> torch.nn.Module:
    backbone = _config(
        "ResNet",
        embedding_size=8,
        hidden_sizes=[8, 16],
        depths=[1, 1],
        layer_type="basic",
        out_features=["stage2"],
    )
    config = _config(
        "Detr",
        backbone_config=backbone,
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        num_queries=5,
        num_labels=7,
        **_SIDES,
    )
    return _model("DetrForObjectDetection", config)


def _padded_pixels() -> dict[str, torch.Tensor]:
    mask = torch.ones(2, 64, 96, dtype=torch.long)
    mask[1, 40:] = 0
    mask[1, :, 70:] = 0
    return {"pixel_values": torch.randn(2, 3, 64, 96), "pixel_mask": mask}


def _mamba() -> torch.nn.Module:
    config = _config(
        "Mamba",
        vocab_size=100,
        hidden_size=16,
        state_size=4,
        num_hidden_layers=2,
        time_step_rank=3,
        use_cache=False,
        **_IDS,
    )
    return _model("MambaForCausalLM", config)


def _deberta() -> torch.nn.Module:
    config = _config(
        "DebertaV2",
        vocab_size=100,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        relative_attention=True,
        pos_att_type=["p2c", "c2p"],
    )
    return _model("DebertaV2Model", config)


def _clip() -> torch.nn.Module:
    layers = {
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
    }
    text = {**layers, **_IDS, "vocab_size": 100, "max_position_embeddings": 32}
    vision = {**layers, "image_size": 32, "patch_size": 8}
    config = _config("CLIP", text_config=text, vision_config=vision, projection_dim=16)
    return _model("CLIPModel", config)


def _wav2vec2() -> torch.nn.Module:
    config = _config(
        "Wav2Vec2",
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        conv_dim=[16, 16],
        conv_stride=[4, 2],
        conv_kernel=[8, 3],
        num_feat_extract_layers=2,
        num_conv_pos_embeddings=8,
        num_conv_pos_embedding_groups=2,
    )
    return _model("Wav2Vec2Model", config)


_BOTH = {"input_ids": _TEXT, "attention_mask": _TEXT}

WIDE = [
    *(_decoder(name) for name in ("Llama", "Qwen2", "Mistral", "Phi3")),
    _decoder("Gemma2", head_dim=8),
    _decoder("Mixtral", num_local_experts=4, num_experts_per_tok=2),
    _decoder(
        "Qwen2Moe",
        num_experts=4,
        num_experts_per_tok=2,
        moe_intermediate_size=16,
        shared_expert_intermediate_size=24,
    ),
    Entry("t5", _t5, _pair, {**_BOTH, "decoder_input_ids": _TARGET}),
    Entry("bart", _bart, _pair, {**_BOTH, "decoder_input_ids": _TARGET}),
    Entry(
        "whisper",
        _whisper,
        lambda: {
            "input_features": torch.randn(2, 8, 60),
            "decoder_input_ids": torch.randint(3, 90, (2, 5)),
        },
        {"input_features": {0: "batch"}, "decoder_input_ids": _TARGET},
    ),
    Entry("swin", _swin, pixels(32), _IMAGES),
    Entry("beit", _beit, pixels(32), _IMAGES),
    Entry("convnext", _convnext, pixels(32), _IMAGES),
    Entry("segformer", _segformer, pixels(64), _IMAGES),
    Entry(
        "detr",
        _detr,
        _padded_pixels,
        {
            "pixel_values": {0: "batch", 2: "height", 3: "width"},
            "pixel_mask": {0: "batch", 1: "height", 2: "width"},
        },
    ),
    Entry("mamba", _mamba, _tokens, _BOTH),
    Entry("deberta-v2", _deberta, _tokens, _BOTH),
    Entry(
        "clip",
        _clip,
        lambda: {**_tokens(), **pixels(32)()},
        {
            "input_ids": {0: "texts", 1: "sequence"},
            "attention_mask": {0: "texts", 1: "sequence"},
            "pixel_values": {0: "images"},
        },
    ),
    Entry(
        "wav2vec2",
        _wav2vec2,
        lambda: {"input_values": torch.randn(2, 400)},
        {"input_values": {0: "batch", 1: "samples"}},
    ),
]
