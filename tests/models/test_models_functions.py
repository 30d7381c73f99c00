"""Layers of transformers as functions of the file."""

from __future__ import annotations

import torch
from transformers import BertConfig, BertModel
from transformers.models.bert.modeling_bert import BertLayer

import onnx_export


def test_layers_of_bert_are_one_function() -> None:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=53,
        hidden_size=16,
        num_hidden_layers=5,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=64,
    )
    ids = torch.randint(0, 53, (2, 7))
    axes = {0: "batch", 1: "sequence"}
    program = onnx_export.export(
        BertModel(config).eval(),
        (),
        kwargs={"input_ids": ids, "attention_mask": torch.ones_like(ids)},
        dynamic_shapes={"input_ids": axes, "attention_mask": axes},
        export_modules_as_functions={BertLayer},
        verbose=False,
        verify=True,
    )
    assert sum(node.op_type == "BertLayer" for node in program.model.graph.all_nodes()) == 5
    assert program.model.functions[BertLayer.__module__, "BertLayer", ""]
