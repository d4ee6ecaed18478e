#include "referee/ctl/terminal/print.h"

#include <limits>
#include <string>
#include <vector>

#include "absl/types/optional.h"
#include "gtest/gtest.h"
#include "proto/referee/v1/competition_service.pb.h"

namespace referee::ctl {
namespace {

struct Bot {
  std::string name;
  absl::optional<double> elo;
  int games = 0;
  absl::Time seen = absl::UnixEpoch();
};

const Columns<Bot>& BotColumns() {
  static const auto* const columns = new Columns<Bot>{
      {"bot", "name", kLeft | kData, &Bot::name},
      {"elo", kRight | kData, [](const Bot& bot) { return bot.elo ? Fixed(*bot.elo) : Cell(); }},
      {"games played", "games_played", kRight | kData, &Bot::games},
      {"seen", kLeft | kJson, [](const Bot& bot) { return Moment(bot.seen); }}};
  return *columns;
}

const std::vector<Bot>& Bots() {
  static const auto* const bots = new std::vector<Bot>{
      {"=ann", 12.25, 3, absl::FromUnixMillis(1500)}, {"b\x1b", absl::nullopt, 10}};
  return *bots;
}

TEST(Printed, TableAlignsColumnsAndIsSafeOnATerminal) {
  EXPECT_EQ(Printed(BotColumns(), Bots(), Form::kTable),
            "bot       elo  games played  seen\n"
            "=ann     12.2             3  1970-01-01T00:00:01Z\n"
            "'b\\x1b'     -            10  1970-01-01T00:00:00Z\n");
  EXPECT_EQ(Printed(BotColumns(), std::vector<Bot>(), Form::kTable, /*heading=*/false), "");
}

TEST(Printed, CsvHasTheColumnsThatAreInItWithAllDigits) {
  EXPECT_EQ(Printed(BotColumns(), Bots(), Form::kCsv),
            "name,elo,games_played\r\n"
            "\"=ann\",12.25,3\r\n"
            "b\x1b,,10\r\n");
  EXPECT_EQ(Printed(BotColumns(), std::vector<Bot>(), Form::kCsv, /*heading=*/false), "");
}

TEST(Printed, JsonIsAnObjectALineWithNullForWhatIsUnknown) {
  EXPECT_EQ(Printed(BotColumns(), Bots(), Form::kJson),
            R"({"name":"=ann","elo":12.25,"games_played":3,"seen":"1970-01-01T00:00:01.5+00:00"})"
            "\n"
            R"({"name":"b\u001b","elo":null,"games_played":10,"seen":"1970-01-01T00:00:00+00:00"})"
            "\n");
}

TEST(Printed, JsonOfMessagesIsProtobufsOwn) {
  v1::PairTotal pair;
  pair.set_bot("ann");
  const Columns<v1::PairTotal> columns = {{"bot", kLeft | kCsv, &v1::PairTotal::bot}};
  const std::string line = Printed(columns, std::vector<v1::PairTotal>{pair}, Form::kJson);
  EXPECT_EQ(line, JsonLine(pair));
  EXPECT_EQ(Json::parse(line)["bot"], "ann");
  EXPECT_EQ(Json::parse(line)["opponent"], "");
  EXPECT_EQ(line.back(), '\n');
}

TEST(Printed, AnElementThatARepeatedFieldLacksIsUnknown) {
  v1::PairTotal pair;
  pair.add_blocks_by_points(7);
  const Columns<v1::PairTotal> columns = {
      {"first", kRight | kCsv, Nth(&v1::PairTotal::blocks_by_points, 0)},
      {"second", kRight | kCsv, Nth(&v1::PairTotal::blocks_by_points, 1)}};
  const std::vector<v1::PairTotal> pairs = {pair};
  EXPECT_EQ(Printed(columns, pairs, Form::kCsv), "first,second\r\n7,\r\n");
  EXPECT_EQ(Printed(columns, pairs, Form::kTable, /*heading=*/false), "7  -\n");
}

TEST(Printed, JsonReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(JsonLine(Json{{"name", "a\xff"}}), "{\"name\":\"a\xef\xbf\xbd\"}\n");
  const Columns<std::vector<std::string>> columns = {
      {"names", kJson, [](const std::vector<std::string>& names) { return Cell(names); }}};
  const std::vector<std::vector<std::string>> rows = {{"a\xff"}};
  EXPECT_EQ(Printed(columns, rows, Form::kJson), "{\"names\":[\"a\xef\xbf\xbd\"]}\n");
}

TEST(Cell, OfANumberThatIsNotFiniteIsUnknown) {
  const Cell cell = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(cell.value.is_null());
  EXPECT_EQ(cell.text, "-");
  EXPECT_EQ(Fixed(std::numeric_limits<double>::quiet_NaN()).text, "-");
}

TEST(Csv, FieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(CsvField("alice"), "alice");
  EXPECT_EQ(CsvField("a bot"), "a bot");
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("the \"best\""), "\"the \"\"best\"\"\"");
  EXPECT_EQ(CsvField("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(CsvField(" x"), "\" x\"");
}

TEST(Csv, FieldsThatLookLikeFormulasAreQuotedAndNotChanged) {
  EXPECT_EQ(CsvField("=1+1"), "\"=1+1\"");
  EXPECT_EQ(CsvField("+bot"), "\"+bot\"");
  EXPECT_EQ(CsvField("-bot"), "\"-bot\"");
  EXPECT_EQ(CsvField("@bot"), "\"@bot\"");
}

}  // namespace
}  // namespace referee::ctl
