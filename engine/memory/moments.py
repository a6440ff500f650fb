"""The moments of a step, and the peak: the largest of them, never the sum of everything [bytes].

forward: all saved activations and the logits, no gradients yet. backward_start: the first layers of backward. backward_end: all
gradients. step: all gradients and the optimizer's own temporaries. serve: one forward pass, or a server at work.
"""

from engine.memory import litgpt
from engine.memory.activations import checkpoint_bytes, logit_bytes, saved, unpacked, work
from engine.memory.setup import Setup
from engine.memory.shape import Shape
from engine.memory.states import (
    BYTES,
    FOUR_BIT,
    KEEP_EMBEDDINGS,
    gradient_width,
    saved_modules,
    state_width,
    trained_parameters,
    trained_width,
    weights,
)

Terms = dict[str, float]
RESERVE = 0.06  # what the allocator keeps beyond what is in use
SPLIT_GRADIENTS = ("zero2", "zero3", "fsdp", "tensor", "pipeline", "sequence")
CONTEXT = 0.6e9  # driver context and libraries
CHUNK = 2048  # tokens of a prompt a server works on at once
SUBGROUP = 1e9  # parameters ZeRO-3 updates at a time (DeepSpeed's sub_group_size)


def _state_terms(shape: Shape, setup: Setup, trained: float) -> Terms:
    """Weights, adapters and optimizer states of one card; what is offloaded lies in CPU memory."""
    cards = setup.gpus
    split = cards if setup.split_weights else 1
    split_states = cards if cards > 1 and setup.sharding in ("zero1", *SPLIT_GRADIENTS) else 1
    adapters = trained * trained_width(shape, setup) if setup.kind == "adapters" else 0.0
    return {
        "weights": 0.0 if setup.streams_weights else weights(shape, setup) * (2 if setup.reference_model else 1) / split,
        "adapters": adapters / split,
        "optimizer_states": 0.0 if setup.offload != "none" else trained * state_width(shape, setup) / split_states,
        "gradient_buckets": trained * gradient_width(shape, setup) if setup.copies_model else 0.0,
    }


def gradients(shape: Shape, setup: Setup, trained: float) -> float:
    """All gradients of one card [bytes]; an optimizer fused into backward keeps the widest matrix's, a streamed one a layer's."""
    if setup.framework == "litgpt" and setup.split_weights and setup.weight_dtype not in KEEP_EMBEDDINGS:
        return litgpt.gathered_gradients(shape)
    whole = trained * gradient_width(shape, setup)
    if setup.fused_backward and setup.trains_base:
        return min(whole, max(shape.embedding, shape.hidden * shape.ffn) * gradient_width(shape, setup))
    if setup.fused_backward or setup.streams_weights:
        return whole / shape.layers
    return whole / setup.gpus if setup.gpus > 1 and setup.sharding in SPLIT_GRADIENTS else whole


def gathered_widths(setup: Setup) -> tuple[float, float]:
    """Bytes a gathered weight of a layer, and of an embedding: 16 bit, or as it is quantised."""
    width = 2.0 if setup.weight_dtype == "fp32" else BYTES[setup.weight_dtype]
    return width, max(width, 2.0)


def gathered_gradients(shape: Shape, setup: Setup) -> float:
    """A layer's and the embeddings' gradients before they are spread again [bytes]."""
    return 2.0 * (shape.layer + shape.embeddings) if setup.kind == "full" else 0.0


def gathered(shape: Shape, setup: Setup) -> tuple[float, float]:
    """Weights of other cards at the loss (embeddings, one layer) and in backward (two layers, with their gradients) [bytes]."""
    if not setup.streams_weights and (setup.gpus == 1 or setup.sharding not in ("zero3", "fsdp", "sequence")):
        return 0.0, 0.0
    width, ends = gathered_widths(setup)
    whole = shape.embeddings * ends
    return shape.layer * width + whole, 2 * shape.layer * width + whole + gathered_gradients(shape, setup)


def _cast_copies(shape: Shape, setup: Setup, trained: float) -> float:
    """16-bit copies autocast makes of fp32 weights [bytes]: of all that is multiplied; FSDP gathers in 16 bit instead."""
    if not setup.autocast or setup.split_weights or setup.streams_weights or setup.master_in_ram:
        return 0.0
    base = 2 * (shape.decoder + shape.embedding) if setup.weight_dtype == "fp32" else 0.0
    fp32_adapters = setup.kind == "adapters" and setup.adapter_dtype == "fp32"
    return base + (2 * (trained - saved_modules(shape, setup)) if fp32_adapters else 0.0)


def training_moments(shape: Shape, setup: Setup) -> dict[str, Terms]:
    """Terms of each moment of a training step."""
    trained = trained_parameters(shape, setup)
    at_loss, in_backward = gathered(shape, setup)
    states = _state_terms(shape, setup, trained)
    grads, copies = gradients(shape, setup, trained), _cast_copies(shape, setup, trained)
    layer_work, early = work(shape, setup) + unpacked(shape, setup), grads if setup.accumulation else 0.0
    kept = {**states, "activations": saved(shape, setup)}
    return {
        **_starts(shape, setup, {**kept, "gathered": at_loss, "gradients": early}, copies),
        "backward_start": {
            **kept,
            "gathered": in_backward,
            "gradients": max(early, _share(shape, grads) if setup.trains_base else 0.0),
            "working_memory": layer_work,
            "cast_weights": copies if setup.checkpointing == "none" else copies / shape.layers,
        },
        **_ends(shape, setup, {**states, "gathered": in_backward}, grads, layer_work + copies / shape.layers),
        "step": {**states, "gradients": grads, "working_memory": _step_copies(setup, trained, states["optimizer_states"])},
    }


def _starts(shape: Shape, setup: Setup, kept: Terms, copies: float) -> dict[str, Terms]:
    """The first moments: the end of forward, and the loss with its gradient; autocast's copies outlive forward only in saved tensors."""
    at_end, at_start = (setup.tokens * one for one in logit_bytes(shape, setup))
    matrix = unpacked(shape, setup)
    if setup.framework == "litgpt":  # the head is unpacked before its loss takes its room
        matrix = max(0.0, matrix - 6.0 * setup.tokens * shape.vocab)
    common = {**kept, "working_memory": matrix}
    still = copies if setup.checkpointing == "none" else 0.0
    return {
        "forward": {**common, "logits": at_end, "cast_weights": copies},
        "loss": {**common, "logits": at_start, "cast_weights": still},
    }


def _share(shape: Shape, grads: float) -> float:
    """The head's share of all gradients [bytes]."""
    return grads * shape.embedding / shape.parameters


def _ends(shape: Shape, setup: Setup, states: Terms, grads: float, layer_work: float) -> dict[str, Terms]:
    """The end of backward: the first layer's, then the input embedding's gradient."""
    stream = setup.tokens * checkpoint_bytes(shape, setup) * (2 * shape.layers if setup.keeps_recomputed else 1)
    first_layer = grads * (shape.embedding + 0.7 * shape.layer) / shape.parameters if setup.trains_base else 0.0
    twice = 2 * _share(shape, grads) if shape.tied and setup.trains_base and not shape.headless else 0.0
    return {
        "first_layer": {**states, "gradients": grads - first_layer, "activations": stream, "working_memory": layer_work},
        "backward_end": {**states, "gradients": grads, "working_memory": twice + stream},
    }


def step_width(setup: Setup) -> float:
    """Bytes a trained parameter DeepSpeed copies for its step, else 0."""
    if not setup.keeps_master or setup.offload != "none":
        return 0.0
    return 4.0 if setup.sharding == "zero3" else 6.0


def _step_copies(setup: Setup, trained: float, states: float) -> float:
    """What the optimizer copies during its step [bytes]: DeepSpeed flattens this card's 16-bit gradients (ZeRO-1 and 2) and turns
    them into fp32, ZeRO-3 a group of parameters at a time; a foreach AdamW makes one more moment-sized copy."""
    if width := step_width(setup):
        part = trained / setup.gpus if setup.sharding in ("zero1", *SPLIT_GRADIENTS) else trained
        return width * (min(part, SUBGROUP) if setup.sharding == "zero3" else part)
    return states / 2 if setup.optimizer_impl == "foreach" else 0.0


def cache_bytes(shape: Shape, setup: Setup) -> float:
    """Key-value cache [bytes]: keys and values of a token and layer in 16 bit (32 for an fp32 model), or the latent of MLA."""
    full = shape.kv_layers - shape.window_layers
    windowed = min(setup.sequence_length, shape.window) if shape.window else setup.sequence_length
    return 2.0 * setup.wide * shape.cached * (full * setup.tokens + shape.window_layers * windowed * setup.micro_batch)


def cache_split(shape: Shape, setup: Setup) -> int:
    """Over how many cards a cache is spread: tensor parallel splits its key-value heads, beyond their number and with MLA's latent each
    card holds a copy; layer by layer it is split like the weights."""
    if not setup.split_weights:
        return 1
    return min(setup.gpus, shape.kv_heads) if setup.sharding == "tensor" else setup.gpus


def prompt_tokens(setup: Setup) -> int:
    """Tokens worked on at once: a server takes prompts in chunks."""
    return min(setup.tokens, CHUNK) if setup.serving else setup.tokens


def prompt_bytes(shape: Shape) -> float:
    """Bytes a token of a prompt at work in one layer."""
    return 8.0 * shape.hidden + 6.0 * (shape.ffn + shape.routed) + 4.0 * shape.hidden * shape.copies


def inference_moments(shape: Shape, setup: Setup) -> dict[str, Terms]:
    """Terms while a model answers: weights, cache, the work of the prompt, logits of the last token."""
    split = setup.gpus if setup.split_weights else 1
    work_of_prompt = prompt_tokens(setup) * prompt_bytes(shape)
    if setup.framework == "litgpt" and setup.weight_dtype in FOUR_BIT:
        work_of_prompt += litgpt.unpacked(shape)
    terms = {
        "weights": weights(shape, setup) / split,
        "kv_cache": cache_bytes(shape, setup) / cache_split(shape, setup),
        "working_memory": work_of_prompt,
        "logits": 0.0 if shape.headless else 2.0 * shape.vocab * setup.micro_batch,
        "cast_weights": _cast_copies(shape, setup, 0.0),
    }
    return {"serve": terms}


def moments(shape: Shape, setup: Setup) -> dict[str, Terms]:
    """Terms of every moment [bytes]."""
    return inference_moments(shape, setup) if setup.kind == "inference" else training_moments(shape, setup)


def peak_moment(shape: Shape, setup: Setup) -> tuple[str, Terms]:
    """The moment with the largest sum, and its terms."""
    return max(moments(shape, setup).items(), key=lambda one: sum(one[1].values()))
