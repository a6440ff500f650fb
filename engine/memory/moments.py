"""The moments of a step, and the peak: the largest of them, never the sum of everything [bytes].

forward: all saved activations and the logits, no gradients yet. backward_start: the first layers of backward. backward_end: all
gradients. step: all gradients and the optimizer's own temporaries. serve: one forward pass, or a server at work.
"""

from engine.memory.activations import dequantised, flight_bytes, logit_width, saved, work
from engine.memory.setup import Setup
from engine.memory.shape import Shape
from engine.memory.states import (
    BYTES,
    adapter_parameters,
    gradient_width,
    state_width,
    trained_parameters,
    trained_width,
    weights,
)

Terms = dict[str, float]
RESERVE = 0.06  # what the allocator keeps beyond what is in use
CONTEXT = 0.6e9  # driver context and libraries


def _state_terms(shape: Shape, setup: Setup) -> Terms:
    cards = setup.gpus
    split = cards if setup.split_weights else 1
    split_states = cards if cards > 1 and setup.sharding in ("zero1", "zero2", "zero3", "fsdp", "tensor", "pipeline") else 1
    off = setup.offload in ("optimizer", "parameters", "nvme")
    copies = 2 if setup.reference_model else 1
    terms = {
        "weights": copies * weights(shape, setup) / split,
        "adapters": adapter_parameters(shape, setup) * BYTES[setup.adapter_dtype] / split if setup.kind == "adapters" else 0.0,
        "optimizer_states": 0.0 if off else trained_parameters(shape, setup) * state_width(setup) / split_states,
    }
    if setup.offload in ("parameters", "nvme") and setup.kind != "inference":
        terms["weights"] = 0.0
    return terms


def gradients(shape: Shape, setup: Setup) -> float:
    """All gradients of one card [bytes]; data parallel adds the buckets they are reduced in."""
    whole = trained_parameters(shape, setup) * gradient_width(setup)
    if setup.fused_backward:
        return whole / shape.layers
    cards = setup.gpus
    if cards > 1 and setup.sharding in ("zero2", "zero3", "fsdp", "tensor", "pipeline"):
        return whole / cards
    return whole


def gathered(shape: Shape, setup: Setup) -> float:
    """Weights other cards hold, gathered in 16 bit while two layers and the embeddings are at work, with their gradients [bytes]."""
    if setup.gpus == 1 or setup.sharding not in ("zero3", "fsdp"):
        return 0.0
    width = 2.0 if setup.weight_dtype == "fp32" else BYTES[setup.weight_dtype]
    whole = (2 * shape.layer + shape.embeddings) * width
    if setup.kind == "full":
        whole += (shape.layer + shape.embeddings) * (4 if setup.weight_dtype == "fp32" else 2)
    return whole


def _cast_copies(shape: Shape, setup: Setup) -> float:
    """16-bit copies autocast makes of fp32 weights [bytes]; FSDP gathers in 16 bit instead."""
    if not setup.autocast or setup.weight_dtype != "fp32" or setup.split_weights:
        return 0.0
    return 2 * (shape.decoder + shape.embedding)


def training_moments(shape: Shape, setup: Setup) -> dict[str, Terms]:
    """Terms of each moment of a training step."""
    states = _state_terms(shape, setup)
    grads = gradients(shape, setup)
    early = grads if setup.accumulation else 0.0
    kept = saved(shape, setup)
    tokens, checkpointed = setup.tokens, setup.checkpointing != "none"
    stream = 2.0 * tokens * shape.hidden
    logits, copies = tokens * logit_width(shape, setup), _cast_copies(shape, setup)
    held = {"gathered": gathered(shape, setup)}
    layer_copy = copies / shape.layers if checkpointed else copies
    embedding_gradient = grads * shape.embedding / shape.parameters if setup.trains_base else 0.0
    layer_work = work(shape, setup)
    if checkpointed:
        with_copies = max(logits * 10 / 12 + copies, logits)
        forward = {"logits": min(logits, with_copies), "cast_weights": with_copies - min(logits, with_copies)}
        first_work = layer_work
    else:
        forward = {"logits": logits, "cast_weights": copies}
        first_work = tokens * flight_bytes(shape)
    unpacked = dequantised(shape, setup)
    output_gradient = (2 if shape.head == 0 else 1) * shape.embedding * trained_width(setup) / (setup.gpus if setup.split_weights else 1)
    last = max(layer_work + copies / shape.layers + unpacked, output_gradient if setup.trains_base else 0.0)
    step_copy = trained_parameters(shape, setup) * state_width(setup) / 2 / max(1, setup.gpus if setup.sharding != "none" else 1)
    return {
        "forward": {**states, **held, "gradients": early, "activations": kept + stream, **forward},
        "backward_start": {
            **states,
            **held,
            "gradients": max(early, embedding_gradient),
            "activations": kept + stream,
            "working_memory": first_work + unpacked,
            "cast_weights": layer_copy,
        },
        "backward_end": {**states, **held, "gradients": grads, "working_memory": last},
        "step": {**states, "gradients": grads, "working_memory": step_copy if setup.optimizer_impl == "foreach" else 0.0},
    }


def cache_bytes(shape: Shape, setup: Setup) -> float:
    """Key-value cache [bytes]: two 16-bit vectors a token and layer, or the latent of MLA."""
    width = shape.latent if shape.latent else shape.k + shape.v
    return 2.0 * width * shape.layers * setup.tokens


def inference_moments(shape: Shape, setup: Setup) -> dict[str, Terms]:
    """Terms while a model answers: weights, cache, the work of the prompt, logits of the last token."""
    split = setup.gpus if setup.split_weights else 1
    prompt = min(setup.tokens, 2048) if setup.serving else setup.tokens
    terms = {
        "weights": weights(shape, setup) / split,
        "kv_cache": cache_bytes(shape, setup) / split,
        "working_memory": prompt * 6.0 * (shape.hidden + shape.ffn),
        "logits": 2.0 * shape.vocab * setup.micro_batch,
    }
    return {"serve": terms}


def moments(shape: Shape, setup: Setup) -> dict[str, Terms]:
    """Terms of every moment [bytes]."""
    return inference_moments(shape, setup) if setup.kind == "inference" else training_moments(shape, setup)


def peak_moment(shape: Shape, setup: Setup) -> tuple[str, Terms]:
    """The moment with the largest sum, and its terms."""
    return max(moments(shape, setup).items(), key=lambda one: sum(one[1].values()))


__all__ = ["CONTEXT", "RESERVE", "gradients", "moments", "peak_moment"]
