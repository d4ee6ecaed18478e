"""What Prometheus says of a soak test: the dashboard's figures by quarters of the time, and alerts."""

import json
import urllib.parse
import urllib.request

from place import SOURCE

STEP = 15  # seconds
DASHBOARD = SOURCE / "deploy/observability/dashboard.json"
SCALES = {"s": (1e3, "ms"), "bytes": (2.0 ** -20, "MiB"), "percentunit": (100.0, "%")}


def ask(port, query, start, end):
    """Returns what an expression was from time to time, as (labels, [(time, value)])."""
    asked = urllib.parse.urlencode({"query": query, "start": start, "end": end, "step": STEP})
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query_range?{asked}",
                                timeout=60) as answer:
        found = json.load(answer)["data"]["result"]
    return [(series["metric"], [(float(when), float(value)) for when, value in series["values"]])
            for series in found]


def mean(values):
    real = [value for value in values if value == value]  # pylint: disable=comparison-with-itself
    return sum(real) / len(real) if real else float("nan")


def shown(value):
    return "-" if value != value else f"{value:.4g}"  # pylint: disable=comparison-with-itself


def dashboard(port, start, end):
    """Yields a line of a table for each figure of the dashboard: quarters of the time, and the most;
    and then one with those that were 0 throughout."""
    idle = []
    yield f"{'figure':<62} {'1st':>9} {'2nd':>9} {'3rd':>9} {'4th':>9} {'most':>9}"
    for panel in json.loads(DASHBOARD.read_text("utf-8"))["panels"]:
        unit = panel.get("fieldConfig", {}).get("defaults", {}).get("unit")
        scale, name = SCALES.get(unit, (1.0, ""))
        for target in panel.get("targets", []):
            query = target["expr"].replace("$__rate_interval", "60s").replace("$instance", ".*")
            for labels, values in ask(port, query, start, end):
                legend = target.get("legendFormat", "")
                for label, value in labels.items():
                    legend = legend.replace(f"{{{{{label}}}}}", value)
                quarters = [mean(scale * value for when, value in values
                                 if start + quarter * (end - start) / 4 <= when
                                 < start + (quarter + 1) * (end - start) / 4)
                            for quarter in range(4)]
                most = max((scale * value for _, value in values), default=float("nan"))
                what = f"{panel['title']}: {legend}" + (f", {name}" if name else "")
                if most == 0:
                    idle.append(what)
                    continue
                yield f"{what:<62} " + " ".join(f"{shown(value):>9}" for value in [*quarters, most])
    yield f"\n0 throughout: {'; '.join(idle)}"


def alerts(port, start, end):
    """Yields a line for each time that an alert fired: from when on, and for how long."""
    for labels, values in ask(port, 'ALERTS{alertstate="firing"}', start, end):
        began = last = None
        for when, _ in [*values, (float("inf"), 1.0)]:
            if last is not None and when - last > 2 * STEP:
                yield (f"{(began - start) / 60:6.1f} min  {labels['alertname']} "
                       f"({labels.get('instance', 'all')}), for {(last - began) / 60:.1f} min")
                began = None
            began, last = when if began is None else began, when
