"""ONNX operators by capability: a lowering names the operator's newest form, emit writes the target's."""

from onnx_ir_capture.emit._activations import (
    bounded_below,
    exponential_unit,
    hard_shrunk,
    has_activation_kernels,
    leaky_unit,
    log_of_1_plus_exp,
    scaled_exponential_unit,
    soft_shrunk,
    softplus_of,
)
from onnx_ir_capture.emit._adaptive_pooling import (
    adaptive_max_pooled,
)
from onnx_ir_capture.emit._attention import (
    attention,
)
from onnx_ir_capture.emit._bags import bags_of_rows
from onnx_ir_capture.emit._batch_statistics import (
    batch_normalized_with_statistics,
    batch_normalized_with_update,
)
from onnx_ir_capture.emit._bessel import modified_bessel
from onnx_ir_capture.emit._calls import AttributeValue
from onnx_ir_capture.emit._class_losses import (
    cross_entropy_of_classes,
    likelihood_of_classes,
    margins_of_class,
    margins_of_classes,
)
from onnx_ir_capture.emit._convolution import (
    convolution_of,
    convolution_transposed,
    convolved,
    named_padding,
)
from onnx_ir_capture.emit._covariance import correlation, covariance
from onnx_ir_capture.emit._diagonals import (
    diagonal_embedded,
    diagonal_first,
    diagonal_of,
    diagonal_places,
    lower_triangle,
    places_of_lower_triangle,
    places_of_upper_triangle,
    upper_triangle,
)
from onnx_ir_capture.emit._distances import (
    cosine_of,
    cosine_of_pairs,
    distance_of_pairs,
    distances_within,
    triplet_margin,
)
from onnx_ir_capture.emit._distinct import (
    contained,
    counts_of_integers,
    distinct_elements,
    distinct_slices,
    histogram,
    runs_of_equal,
)
from onnx_ir_capture.emit._division import (
    floor_quotient,
    opmath_dtype,
    product,
    remainder_of,
    rounded_quotient,
    toward_zero,
    true_quotient,
    wide_enough,
)
from onnx_ir_capture.emit._dtypes import (
    HALVES,
    accumulated,
    as_floating,
    dtype_of,
    is_floating,
    is_unsigned,
)
from onnx_ir_capture.emit._einsum import (
    contraction,
    einsum_of,
)
from onnx_ir_capture.emit._elementwise import (
    angle_of,
    exp_minus_1,
    infinite,
    log_of_1_plus,
    rounded_to_decimals,
    sign_of,
    with_finite_numbers,
)
from onnx_ir_capture.emit._emitter import Emitter
from onnx_ir_capture.emit._error_functions import (
    error_complement,
    log_normal_cdf,
    normal_quantile,
    scaled_error_complement,
)
from onnx_ir_capture.emit._even_numbers import evenly_spaced
from onnx_ir_capture.emit._factorizations import orthogonal_factors, product_of_mirrors
from onnx_ir_capture.emit._filled import as_tensor, filled, filled_like
from onnx_ir_capture.emit._forms import Form, FormFunction, NodeOutput, form, registered_forms
from onnx_ir_capture.emit._fourier import fourier_transform
from onnx_ir_capture.emit._frame import GraphFrame, constant_tensor
from onnx_ir_capture.emit._gamma import digamma_of, hurwitz_zeta, log_gamma, polygamma_of
from onnx_ir_capture.emit._grouped_products import rows_by_group
from onnx_ir_capture.emit._indexing import (
    MASKS,
    gathered,
    indexed,
    indexed_axes,
    same_shape,
    side_by_side,
)
from onnx_ir_capture.emit._inference import infer_outputs
from onnx_ir_capture.emit._integers import greatest_divisor, least_multiple
from onnx_ir_capture.emit._joining import padded_to_longest
from onnx_ir_capture.emit._linear_algebra import (
    cross_product,
    distances_between,
    kronecker_product,
    matrix_norm,
)
from onnx_ir_capture.emit._linear_systems import (
    cholesky_factor,
    cholesky_factor_with_place,
    determinant_of,
    eliminated,
    inverse_by_cholesky_factor,
    inverse_of,
    inverse_with_place,
    sign_and_log_of_determinant,
    solution_by_cholesky_factor,
    solution_of,
    tensor_inverse,
    triangular_solution,
    triangular_solution_and_matrices,
)
from onnx_ir_capture.emit._loops import counted_loop, loop_while
from onnx_ir_capture.emit._loss_reduction import REDUCTIONS, reduced
from onnx_ir_capture.emit._losses import (
    absolute_error,
    cross_entropy_of_chances,
    cross_entropy_of_logits,
    divergence,
    hinge_of_pairs,
    huber_error,
    poisson_likelihood,
    ranking_margin,
    smooth_absolute_error,
    soft_margin,
    squared_error,
)
from onnx_ir_capture.emit._matmul import (
    affine,
    batched_product_plus,
    product_plus,
    summed_product_plus,
    vector_product_plus,
)
from onnx_ir_capture.emit._matrix_exponential import matrix_exponential
from onnx_ir_capture.emit._normalization import (
    batch_normalized,
    batch_normalized_for_inference,
    group_normalized,
    group_normalized_with_moments,
    instance_normalized,
    layer_normalized,
    layer_normalized_with_moments,
    rms_normalized,
    vector_norm,
)
from onnx_ir_capture.emit._one_hot import one_hot_rows
from onnx_ir_capture.emit._padding import padded, padded_around, padded_from_inside
from onnx_ir_capture.emit._pooling import (
    adaptive_average_pooled,
    average_pooled,
    max_pooled,
    max_pooled_with_places,
)
from onnx_ir_capture.emit._powers import (
    integer_power,
    power,
    power_by_number,
)
from onnx_ir_capture.emit._projected_lstm import projected_lstm_network
from onnx_ir_capture.emit._promotion import (
    is_number,
    promote,
    promote_dtypes,
    promoted_dtype,
    to_float_dtype,
)
from onnx_ir_capture.emit._putting import filled_where, put_along, put_at
from onnx_ir_capture.emit._quantization import dequantized, fake_quantized, quantized
from onnx_ir_capture.emit._random import (
    chosen_classes,
    exponential_numbers,
    normal_numbers,
    random_integers,
    random_order,
    truth_by_chance,
    uniform_numbers,
)
from onnx_ir_capture.emit._ranges import number_range
from onnx_ir_capture.emit._real_functions import (
    hypotenuse,
    is_below_zero,
    mantissa_and_exponent,
    times_log,
    times_power_of_2,
    with_sign_of,
)
from onnx_ir_capture.emit._recurrent import (
    RecurrentNetwork,
    elman_network,
    gru_network,
    lstm_network,
    recurrent_network,
)
from onnx_ir_capture.emit._reduction import (
    axes_of,
    count_nonzero_over,
    count_over,
    extremum_over,
    mean_over,
    position_of_extremum,
    sum_over,
    variance_over,
)
from onnx_ir_capture.emit._reordering import (
    channels_of_pixels,
    channels_shuffled,
    flipped,
    pixels_of_channels,
    rolled,
)
from onnx_ir_capture.emit._repeating import each_repeated, each_repeated_by, grids, repeated, repeated_places
from onnx_ir_capture.emit._resize import resized, smoothed, targets
from onnx_ir_capture.emit._scanning import running_extremum, running_log_sum, running_product, running_sum
from onnx_ir_capture.emit._scattering import (
    reduced_along_index,
    scattered,
    scattered_and_reduced,
    taken_along,
)
from onnx_ir_capture.emit._segments import reduced_segments
from onnx_ir_capture.emit._series import in_double, polynomial
from onnx_ir_capture.emit._shapes import (
    counted_size,
    dimension,
    least_size,
    normalize_axis,
    rank_of,
    reshape,
    size_vector,
)
from onnx_ir_capture.emit._slicing import (
    cut,
    divided,
    joined,
    narrowed,
    pieces,
    sliced,
    split_into,
    stacked,
    transposed,
)
from onnx_ir_capture.emit._sliding_windows import columns_of_windows, images_of_columns, windows_along
from onnx_ir_capture.emit._softmax import softmax_over
from onnx_ir_capture.emit._sorting import (
    insertion_points,
    places_of_nonzero,
    places_of_nonzero_of_count,
    ranked,
)
from onnx_ir_capture.emit._strides import places_by_strides
from onnx_ir_capture.emit._view_writing import with_diagonal, with_member, with_slice, with_strided
from onnx_ir_capture.emit._viewing import bits_as, broadcast_together, with_added_axes
from onnx_ir_capture.emit._vision import (
    aligned_regions,
    boxes_kept,
    convolved_at_offsets,
    pooled_regions,
)
from onnx_ir_capture.emit._windows import per_axis, with_batch

__all__ = [
    "AttributeValue",
    "Emitter",
    "Form",
    "FormFunction",
    "GraphFrame",
    "NodeOutput",
    "constant_tensor",
    "form",
    "infer_outputs",
    "registered_forms",
]
__all__ += [
    "aligned_regions",
    "boxes_kept",
    "convolved_at_offsets",
    "pooled_regions",
]
__all__ += [
    "chosen_classes",
    "exponential_numbers",
    "normal_numbers",
    "random_integers",
    "random_order",
    "truth_by_chance",
    "uniform_numbers",
]
__all__ += [
    "HALVES",
    "accumulated",
    "as_floating",
    "as_tensor",
    "axes_of",
    "counted_size",
    "dimension",
    "dtype_of",
    "filled",
    "filled_like",
    "is_floating",
    "is_number",
    "is_unsigned",
    "least_size",
    "normalize_axis",
    "opmath_dtype",
    "per_axis",
    "projected_lstm_network",
    "promote",
    "promote_dtypes",
    "promoted_dtype",
    "rank_of",
    "reshape",
    "size_vector",
    "to_float_dtype",
    "wide_enough",
    "with_batch",
]
__all__ += [
    "RecurrentNetwork",
    "adaptive_average_pooled",
    "adaptive_max_pooled",
    "affine",
    "attention",
    "average_pooled",
    "batch_normalized",
    "batch_normalized_for_inference",
    "batch_normalized_with_statistics",
    "batch_normalized_with_update",
    "batched_product_plus",
    "contraction",
    "convolution_of",
    "convolution_transposed",
    "convolved",
    "einsum_of",
    "elman_network",
    "group_normalized",
    "group_normalized_with_moments",
    "gru_network",
    "instance_normalized",
    "layer_normalized",
    "layer_normalized_with_moments",
    "lstm_network",
    "max_pooled",
    "max_pooled_with_places",
    "named_padding",
    "product_plus",
    "recurrent_network",
    "rms_normalized",
    "summed_product_plus",
    "vector_norm",
    "vector_product_plus",
]
__all__ += [
    "MASKS",
    "angle_of",
    "count_nonzero_over",
    "count_over",
    "cut",
    "dequantized",
    "divided",
    "exp_minus_1",
    "extremum_over",
    "fake_quantized",
    "floor_quotient",
    "gathered",
    "indexed",
    "indexed_axes",
    "infinite",
    "insertion_points",
    "integer_power",
    "joined",
    "log_of_1_plus",
    "mean_over",
    "narrowed",
    "number_range",
    "padded",
    "padded_around",
    "padded_from_inside",
    "pieces",
    "places_of_nonzero",
    "position_of_extremum",
    "power",
    "power_by_number",
    "product",
    "quantized",
    "ranked",
    "remainder_of",
    "rounded_quotient",
    "rounded_to_decimals",
    "same_shape",
    "side_by_side",
    "sign_of",
    "sliced",
    "split_into",
    "stacked",
    "sum_over",
    "toward_zero",
    "transposed",
    "true_quotient",
    "variance_over",
    "with_finite_numbers",
]
__all__ += ["resized", "smoothed", "targets"]
__all__ += ["one_hot_rows"]
__all__ += ["bits_as", "broadcast_together", "with_added_axes"]
__all__ += ["padded_to_longest"]
__all__ += ["places_by_strides"]
__all__ += ["each_repeated", "each_repeated_by", "grids", "repeated", "repeated_places"]
__all__ += ["channels_of_pixels", "channels_shuffled", "flipped", "pixels_of_channels", "rolled"]
__all__ += [
    "diagonal_embedded",
    "diagonal_first",
    "diagonal_of",
    "diagonal_places",
    "lower_triangle",
    "places_of_lower_triangle",
    "places_of_upper_triangle",
    "upper_triangle",
]
__all__ += [
    "bounded_below",
    "exponential_unit",
    "hard_shrunk",
    "has_activation_kernels",
    "leaky_unit",
    "log_of_1_plus_exp",
    "scaled_exponential_unit",
    "soft_shrunk",
    "softplus_of",
]
__all__ += ["reduced_along_index", "scattered", "scattered_and_reduced", "taken_along"]
__all__ += [
    "digamma_of",
    "error_complement",
    "hurwitz_zeta",
    "in_double",
    "log_gamma",
    "log_normal_cdf",
    "modified_bessel",
    "normal_quantile",
    "polygamma_of",
    "polynomial",
    "scaled_error_complement",
]
__all__ += ["filled_where", "put_along", "put_at"]
__all__ += ["REDUCTIONS", "reduced"]
__all__ += ["softmax_over"]
__all__ += [
    "absolute_error",
    "cross_entropy_of_chances",
    "cross_entropy_of_logits",
    "divergence",
    "hinge_of_pairs",
    "huber_error",
    "poisson_likelihood",
    "ranking_margin",
    "smooth_absolute_error",
    "soft_margin",
    "squared_error",
]
__all__ += ["cross_entropy_of_classes", "likelihood_of_classes", "margins_of_class", "margins_of_classes"]
__all__ += ["running_extremum", "running_log_sum", "running_product", "running_sum"]
__all__ += ["bags_of_rows"]
__all__ += ["cosine_of", "cosine_of_pairs", "distance_of_pairs", "distances_within", "triplet_margin"]
__all__ += ["hypotenuse", "is_below_zero", "times_log", "times_power_of_2", "with_sign_of"]
__all__ += ["columns_of_windows", "images_of_columns", "windows_along"]
__all__ += ["fourier_transform"]
__all__ += ["evenly_spaced"]
__all__ += ["mantissa_and_exponent"]
__all__ += ["counted_loop", "loop_while"]
__all__ += ["matrix_exponential", "orthogonal_factors", "product_of_mirrors"]
__all__ += ["greatest_divisor", "least_multiple"]
__all__ += [
    "contained",
    "counts_of_integers",
    "distinct_elements",
    "distinct_slices",
    "histogram",
    "runs_of_equal",
]
__all__ += [
    "cholesky_factor",
    "cholesky_factor_with_place",
    "determinant_of",
    "eliminated",
    "inverse_by_cholesky_factor",
    "inverse_of",
    "inverse_with_place",
    "sign_and_log_of_determinant",
    "solution_by_cholesky_factor",
    "solution_of",
    "tensor_inverse",
    "triangular_solution",
    "triangular_solution_and_matrices",
]
__all__ += ["cross_product", "distances_between", "kronecker_product", "matrix_norm"]
__all__ += ["reduced_segments"]
__all__ += ["rows_by_group"]
__all__ += ["with_diagonal", "with_member", "with_slice", "with_strided"]
__all__ += ["correlation", "covariance"]
__all__ += ["places_of_nonzero_of_count"]
