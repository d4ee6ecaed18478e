#include "referee/ctl/terminal/print.h"

#include <limits>

#include "gtest/gtest.h"

namespace referee::ctl {
namespace {

using Json = nlohmann::ordered_json;

TEST(Print, ARowPrintsAsJsonAndAsCsv) {
  const Json row = {
      {"bot", "a,b"}, {"score", -3}, {"points", 4.0}, {"over", true}, {"elo", Json()}};
  EXPECT_EQ(JsonLine(row),
            "{\"bot\":\"a,b\",\"score\":-3,\"points\":4.0,\"over\":true,\"elo\":null}\n");
  EXPECT_EQ(CsvHeader(row), "bot,score,points,over,elo\r\n");
  EXPECT_EQ(CsvLine(row), "\"a,b\",-3,4,true,\r\n");
}

TEST(Print, NumbersThatAreNotFiniteAreMissing) {
  const Json row = {{"elo", std::numeric_limits<double>::infinity()}};
  EXPECT_EQ(JsonLine(row), "{\"elo\":null}\n");
  EXPECT_EQ(CsvLine(row), "\r\n");
}

TEST(Print, JsonIsUtf8WhateverTheText) {
  EXPECT_EQ(JsonLine(Json{{"name", "a\xff"}}), "{\"name\":\"a\xef\xbf\xbd\"}\n");
}

TEST(Print, CsvFieldsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(CsvField("alice"), "alice");
  EXPECT_EQ(CsvField("a bot"), "a bot");
  EXPECT_EQ(CsvField(""), "");
  EXPECT_EQ(CsvField("a,b"), "\"a,b\"");
  EXPECT_EQ(CsvField("the \"best\""), "\"the \"\"best\"\"\"");
  EXPECT_EQ(CsvField("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(CsvField(" x"), "\" x\"");
}

TEST(Print, CsvFieldsThatLookLikeFormulasAreQuotedAndNotChanged) {
  EXPECT_EQ(CsvField("=1+1"), "\"=1+1\"");
  EXPECT_EQ(CsvField("+bot"), "\"+bot\"");
  EXPECT_EQ(CsvField("-bot"), "\"-bot\"");
  EXPECT_EQ(CsvField("@bot"), "\"@bot\"");
}

}  // namespace
}  // namespace referee::ctl
