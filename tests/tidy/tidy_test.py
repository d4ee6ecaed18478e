#!/usr/bin/env python3
"""Checks of tidy.py: each finds what it is for, in a small tree made for the purpose."""

import pathlib
import shutil
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import tidy  # pylint: disable=wrong-import-position


def header(path, body=""):
    """A header with the guard that its path asks for."""
    guard = path.upper().replace("/", "_").replace(".", "_").replace("-", "_") + "_"
    if not guard.startswith("REFEREE_"):
        guard = "REFEREE_" + guard
    return f"// Doc.\n#ifndef {guard}\n#define {guard}\n\n{body}#endif  // {guard}\n"


def including(*included):
    return "".join(f'#include "{path}"\n' for path in included)


GOOD = {
    "CMakeLists.txt": "add_subdirectory(referee)\n",
    "README.md": "Doc.\n",
    ".ci/run": "#!/bin/bash\ntrue\n",
    "build/release/thing.cc": "not looked at\n",
    "proto/referee/v1/match.proto": 'syntax = "proto3";\n',
    "proto/referee/v1/bot.proto": 'syntax = "proto3";\n',
    "referee/base/ids.h": header("referee/base/ids.h"),
    "referee/base/ids.cc": including("referee/base/ids.h"),
    "referee/base/CMakeLists.txt": "referee_library(base SRCS ids.cc)\n",
    "referee/match/match.h": header("referee/match/match.h", including("referee/base/ids.h")),
    "referee/match/match.cc": including("referee/match/match.h"),
    "referee/match/CMakeLists.txt": "referee_library(match SRCS match.cc)\n",
    "referee/replay/record.cc": including("proto/referee/v1/match.pb.h", "referee/match/match.h"),
    "referee/replay/CMakeLists.txt": "referee_library(replay SRCS record.cc)\n",
    "referee/service/server.cc": including("grpcpp/grpcpp.h", "proto/referee/v1/bot.grpc.pb.h"),
    "referee/service/CMakeLists.txt": "referee_library(service SRCS server.cc)\n",
    "tests/unit/base/ids_test.cc": including("referee/base/ids.h"),
    "tests/CMakeLists.txt": "referee_test(base_test SRCS unit/base/ids_test.cc)\n",
}


class TidyTest(unittest.TestCase):

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="tidy test "))
        self.addCleanup(shutil.rmtree, self.root)
        for path, text in GOOD.items():
            self.write(path, text)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def problems(self, check):
        return list(tidy.CHECKS[check](tidy.Tree(self.root)))

    def assert_finds(self, check, *words):
        problems = self.problems(check)
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

    def test_a_tidy_tree_has_no_problems(self):
        for check in tidy.CHECKS:
            with self.subTest(check):
                if check in ("shell", "format", "proto"):
                    continue  # they need tools
                self.assertEqual(self.problems(check), [])

    def test_a_room_may_not_include_a_room_above_it(self):
        self.write("referee/base/ids.cc", including("referee/match/match.h"))
        self.assert_finds("includes", "referee/base/ids.cc:1", "referee/match/match.h",
                          "no other room")

    def test_every_room_above_another_is_not_below_it(self):
        for room, below in tidy.BELOW.items():
            for other in below:
                self.assertNotIn(room, tidy.BELOW[other])
                self.assertLessEqual(tidy.BELOW[other], below, (room, other))

    def test_nothing_below_ctl_may_include_it(self):
        self.write("referee/ctl/command.h", header("referee/ctl/command.h"))
        self.write("referee/service/server.cc", including("referee/ctl/command.h"))
        self.assert_finds("includes", "referee/service/server.cc:1")

    def test_grpc_may_not_appear_in_match(self):
        self.write("referee/match/match.cc", "#include <grpcpp/grpcpp.h>\n")
        self.assert_finds("includes", "referee/match/match.cc:1", "gRPC")

    def test_grpc_may_not_appear_in_a_session_but_in_its_stream(self):
        session = "referee/service/play/bot_session.h"
        stream = "referee/service/play/play_stream.h"
        self.write(session, header(session))
        self.write(stream, header(stream, including("grpcpp/grpcpp.h", session)))
        self.assertEqual(self.problems("includes"), [])
        self.write(session, header(session, including("grpcpp/grpcpp.h")))
        self.assert_finds("includes", session, "without gRPC")

    def test_grpc_may_not_come_to_conversions_by_another_header(self):
        self.write("referee/service/tls.h",
                   header("referee/service/tls.h", including("grpcpp/grpcpp.h")))
        self.write("referee/service/convert/convert.cc", including("referee/service/tls.h"))
        self.assert_finds("includes", "referee/service/convert/convert.cc:1", "without gRPC")

    def test_generated_services_may_not_appear_in_replay(self):
        self.write("referee/replay/record.cc", including("proto/referee/v1/bot.grpc.pb.h"))
        self.assert_finds("includes", "gRPC")

    def test_generated_messages_may_not_appear_in_rules_but_in_their_conversion(self):
        wire = including("proto/referee/v1/match.pb.h")
        self.write("referee/games/chess/convert.cc", wire)
        self.assertEqual(self.problems("includes"), [])
        self.write("referee/games/chess/rules.cc", wire)
        self.assert_finds("includes", "referee/games/chess/rules.cc:1", "conversion file")

    def test_a_referee_does_not_make_games_that_do_not_know_the_wire(self):
        self.write("referee/games/rules.h", header("referee/games/rules.h"))
        self.write("referee/match/match.cc", including("referee/games/rules.h"))
        self.assert_finds("includes", "referee/match/match.cc:1", "catalogue.h")

    def test_the_sdk_may_not_include_the_referee(self):
        self.write("sdk/cpp/bot.cc", including("referee/base/clock.h"))
        self.assert_finds("includes", "sdk/cpp/bot.cc:1")
        self.write("sdk/cpp/bot.cc", including("referee/base/text.h"))
        self.write("referee/base/text.h", header("referee/base/text.h"))
        self.assertEqual(self.problems("includes"), [])

    def test_bots_may_include_the_rules_and_nothing_else_of_the_referee(self):
        for name in ("base/errors", "games/game", "games/chess/state", "games/chess/convert"):
            path = f"referee/{name}.h"
            self.write(path, header(path))
        self.write("sample-bots/deep/deep.cc", including("referee/games/chess/state.h"))
        self.write("sdk/cpp/include/referee/sdk/rules.h",
                   header("referee/sdk/rules.h") + including("referee/games/game.h"))
        self.write("sdk/c/src/rules.cc", including("referee/games/chess/state.h"))
        self.assertEqual([], self.problems("includes"))
        self.write("sdk/c/src/rules.cc", including("referee/games/chess/convert.h"))
        self.assert_finds("includes", "sdk/c/src/rules.cc:1")
        self.write("sdk/c/src/rules.cc", including("referee/games/chess/state.h"))
        self.write("sample-bots/deep/deep.cc", including("referee/games/chess/convert.h"))
        self.assert_finds("includes", "sample-bots/deep/deep.cc:1")
        self.write("sample-bots/deep/deep.cc", including("referee/base/errors.h"))
        self.assert_finds("includes", "sample-bots/deep/deep.cc:1")

    def test_the_sdks_headers_are_named_as_where_it_is_installed(self):
        body = header("referee/sdk/bot.h")
        self.write("sdk/cpp/include/referee/sdk/bot.h", body)
        self.write("sample-bots/random/main.cc", including("referee/sdk/bot.h"))
        self.write("sdk/c/include/referee_rules.h", header("referee_rules.h"))
        self.assertEqual(self.problems("includes") + self.problems("guards"), [])
        self.write("referee/base/ids.cc", including("referee/sdk/bot.h"))
        self.assert_finds("includes", "referee/base/ids.cc:1")

    def test_the_sdks_private_headers_are_named_within_it(self):
        self.write("sdk/cpp/src/batch.h", header("sdk/src/batch.h"))
        self.write("sdk/cpp/src/batch.cc", including("src/batch.h"))
        self.assertEqual(self.problems("includes") + self.problems("guards"), [])
        self.write("sdk/cpp/src/batch.cc", including("batch.h"))
        self.assert_finds("includes", "sdk/cpp/src/batch.cc:1")

    def test_an_own_header_is_included_by_its_path_from_the_top(self):
        self.write("referee/base/ids.cc", including("ids.h"))
        self.assert_finds("includes", '"referee/base/ids.h"')

    def test_an_included_file_exists(self):
        self.write("referee/base/ids.cc", including("referee/base/no.h"))
        self.assert_finds("includes", "no such file")
        self.write("referee/base/ids.cc", "")
        self.write("referee/replay/record.cc", including("proto/referee/v1/no.pb.h"))
        self.assert_finds("includes", "no such file")

    def test_the_top_level_is_fixed(self):
        self.write("docs/design.md", "Doc.\n")
        self.assert_finds("layout", "docs")

    def test_a_room_is_one_of_the_list(self):
        self.write("referee/utilities/strings.cc", "")
        self.assert_finds("layout", "referee/utilities/strings.cc")

    def test_a_guard_is_the_path(self):
        self.write("referee/base/ids.h", header("referee/base/id.h"))
        self.assert_finds("guards", "REFEREE_BASE_IDS_H_")

    def test_a_header_has_a_guard(self):
        self.write("referee/base/ids.h", "#pragma once\n")
        self.assert_finds("guards", "referee/base/ids.h")

    def test_a_header_that_only_its_source_includes_is_found(self):
        self.write("referee/base/lost.h", header("referee/base/lost.h"))
        self.write("referee/base/lost.cc", including("referee/base/lost.h"))
        self.assert_finds("reachable", "referee/base/lost.h")

    def test_a_test_that_is_not_built_is_found(self):
        self.write("tests/unit/base/s_test.cc", "")  # ids_test.cc ends in this name
        self.assert_finds("listed", "tests/unit/base/s_test.cc")
        self.write("tests/CMakeLists.txt", GOOD["tests/CMakeLists.txt"] +
                   "# unit/base/s_test.cc\n")
        self.assert_finds("listed", "tests/unit/base/s_test.cc")

    def test_a_long_file_is_found(self):
        self.write("referee/base/ids.cc", "\n" * tidy.MAX_LINES)
        self.assertEqual(self.problems("sizes"), [])
        self.write("referee/base/ids.cc", "\n" * (tidy.MAX_LINES + 1))
        self.assert_finds("sizes", "referee/base/ids.cc")

    def test_generated_code_may_be_long(self):
        self.write("sdk/node/src/proto/match.ts", "\n" * (tidy.MAX_LINES + 1))
        self.assertEqual(self.problems("sizes"), [])
        self.write("sdk/node/src/match.ts", "\n" * (tidy.MAX_LINES + 1))
        self.assert_finds("sizes", "sdk/node/src/match.ts")

    def test_unfinished_words_are_found(self):
        self.write("referee/base/ids.cc", "\n// TO" + "DO: all\n")
        self.assert_finds("words", "referee/base/ids.cc:2")

    def test_paths_of_a_machine_are_found(self):
        self.write("README.md", "See /ho" + "me/ann/referee.\n")
        self.assert_finds("words", "README.md:1")
        self.write("README.md", "See https://example.org/ho" + "me/ann and $DIR/wo" + "rk/x.\n")
        self.assertEqual(self.problems("words"), [])

    def test_a_text_ends_in_a_newline(self):
        self.write("README.md", "Doc.")
        self.assert_finds("words", "README.md", "newline")

    def test_a_link_to_nothing_is_found(self):
        self.write("README.md", "[here](referee/base), [web](https://example.org/x)\n")
        self.assertEqual(self.problems("links"), [])
        self.write("README.md", "[rules](RULES.md#a-turn)\n")
        self.assert_finds("links", "README.md:1", "RULES.md")

    def test_a_private_word_and_a_long_sentence_in_a_document_are_found(self):
        self.write("README.md", "It plays `whoever`.\n\n| " + "x " * 50 + "|\n\n" + "A word. " * 50 + "\n")
        self.assertEqual(self.problems("language"), [])
        self.write("README.md", "Fine.\n\nWhoever reads.\n")
        self.assert_finds("language", "README.md:3", "Whoever")
        self.write("README.md", "So " + "many " * 40 + "words.\n")
        self.assert_finds("language", "README.md:1", "42 words")

    def test_a_header_that_opens_with_a_long_sentence_or_none_is_found(self):
        path = "referee/base/ids.h"
        self.write(path, "// Ids. " + "And more " * 20 + ".\n" + header(path))
        self.assertEqual(self.problems("openings"), [])
        self.write(path, "// Ids " + "and more " * 20 + ".\n" + header(path))
        self.assert_finds("openings", path + ":1", "41 words")
        self.write(path, "\n#ifndef X\n")
        self.assert_finds("openings", path + ":1", "no comment")

    @unittest.skipUnless(shutil.which("promtool"), "needs promtool")
    def test_an_alert_without_a_test_or_of_an_unknown_metric_is_found(self):
        rule = "- alert: Down\n        expr: referee_up == 0\n"
        expected = "exp_samples: [{labels: '{alertname=\"Down\"}', value: 1}]\n"
        test = ("rule_files: [alerts.yaml]\nevaluation_interval: 1m\ntests:\n"
                "  - interval: 1m\n    input_series: [{series: referee_up, values: 0x9}]\n"
                "    promql_expr_test:\n"
                "      - expr: count by (alertname) (ALERTS)\n        eval_time: 5m\n        ")
        self.write("deploy/observability/alerts.yaml",
                   "groups:\n  - name: one\n    rules:\n      " + rule)
        self.write("deploy/observability/alerts_test.yaml", test + expected)
        unhelpful, unknown = self.problems("alerts")
        self.assertIn("RUNBOOK.md does not say what to do about Down", unhelpful)
        self.assertIn("METRICS.md does not know referee_up", unknown)
        self.write("referee/metrics/METRICS.md", "`referee_up`\n")
        self.write("deploy/RUNBOOK.md", "# Alerts\n\n### Down\n\nStart it.\n")
        self.assertEqual(self.problems("alerts"), [])
        self.write("deploy/observability/alerts_test.yaml", test + "exp_samples: []\n")
        untested, failed = self.problems("alerts")
        self.assertIn("Down fires in no test", untested)
        self.assertIn("FAILED", failed)

    @unittest.skipUnless(shutil.which("clang-format"), "needs clang-format")
    def test_badly_formatted_code_is_found(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.assertEqual(self.problems("format"), [])
        self.write("referee/base/ids.cc", "int  a ;\n")
        self.assert_finds("format", "referee/base/ids.cc:1")

    @unittest.skipUnless(shutil.which("shellcheck"), "needs shellcheck")
    def test_a_careless_script_is_found(self):
        self.assertEqual(self.problems("shell"), [])
        self.write("deploy/install", "#!/usr/bin/env bash\nrm $1/*\n")
        self.assert_finds("shell", "deploy/install")


if __name__ == "__main__":
    unittest.main()
