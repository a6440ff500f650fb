"""What a card without a measured row achieves: enter a step and a card, leaves FLOP per second by the utilisation of its class."""

from engine.catalogue import Catalogue, Figure, Gpu
from engine.throughput.flops import Step
from engine.throughput.measured import Achieved

_LOW_RATE = ("Turing", "Volta", "Pascal")


def utilised(step: Step, gpu: Gpu, catalogue: Catalogue) -> Achieved | None:
    """Peak x utilisation, low to high; QLoRA without a figure of its own is LoRA with the cost of dequantising. None without a peak."""
    peak = gpu.fp8 if step.fp8 and gpu.fp8 else gpu.bf16 or gpu.fp16
    if not peak:
        return None
    figure = catalogue.figure(_figure(step, gpu, catalogue))
    slower = 1.0
    if step.kind == "qlora" and not figure.id.endswith(("qlora", "4090_lora", "3090_lora")):
        slower = catalogue.figure("qlora_slowdown").typical
    return Achieved(figure.low * peak / slower, _typical(figure) * peak / slower, figure.high * peak / slower, figure.source, 0)


def _typical(figure: Figure) -> float:
    return figure.typical


def _figure(step: Step, gpu: Gpu, catalogue: Catalogue) -> str:
    """The figure of the card's class, the most particular there is."""
    if step.mixture:
        return "mfu_moe"
    name = _class(gpu)
    method = "full" if step.kind == "full" else step.kind
    precise = [f"mfu_{name}_{method}_fp8", f"mfu_{name}_fp8"] if step.fp8 and gpu.fp8 else []
    wanted = (*precise, f"mfu_{name}_{method}", f"mfu_{name}_lora", f"mfu_{name}_full", f"mfu_{name}")
    return next((one for one in wanted if one in catalogue.figures), "mfu_other")


def _class(gpu: Gpu) -> str:
    """The class of the utilisation table a card belongs to."""
    if gpu.id.startswith(("rtx4090", "rtx3090")) and "laptop" not in gpu.id:
        return gpu.id[3:7]
    chips = (
        ("Ampere GA100", "a100"),
        ("Hopper", "h100"),
        ("Blackwell GB100", "b200"),
        ("Blackwell + Grace", "b200"),
        ("Blackwell Ultra", "b200"),
        ("Ada", "workstation"),
        ("Blackwell GB20", "workstation"),
        ("Ampere GA10", "3090"),
        ("CDNA3", "mi300"),
        ("CDNA4", "mi300"),
    )
    if gpu.architecture.startswith(_LOW_RATE):
        return "turing"
    if gpu.unified:
        return "other"
    return next((name for chip, name in chips if gpu.architecture.startswith(chip)), "other")
