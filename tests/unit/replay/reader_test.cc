// Tests of replay files from outside: cut, changed, or invented.
#include <gmock/gmock.h>
#include <zstd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "referee/base/limits.h"
#include "referee/replay/framing.h"
#include "referee/replay/json.h"
#include "referee/replay/record_codec.h"
#include "referee/replay/replay.h"
#include "referee/replay/transcript.h"
#include "referee/replay/verifier.h"
#include "tests/unit/replay/sample.h"

namespace referee::replay {
namespace {

using ::testing::HasSubstr;

// A file of a few turns.
std::string SmallFile() {
  SampleOptions options;
  options.cancel_at = 4;
  return Encode(PlaySample(options), SampleSigner());
}

// A signed file of these records, each the bytes of a Record message.
std::string FileOf(const std::vector<std::string>& records) {
  std::string all;
  for (const std::string& record : records) AppendSized(record, &all);
  return EncodeRecords(all, SampleSigner());
}

// The records of a match, encoded.
std::vector<std::string> EncodedRecords(const Replay& replay) {
  RecordEncoder encoder;
  std::vector<std::string> records(1);
  encoder.AppendOpening(replay.setup, &records.back());
  for (const match::Record& record : replay.records) {
    records.emplace_back();
    encoder.AppendRecord(*replay.setup.game, record, &records.back());
  }
  return records;
}

std::string ProblemOf(const std::vector<std::string>& records) {
  return std::string(Parse(FileOf(records)).status().message());
}

TEST(ReplayFile, ComesBackAsItWent) {
  for (const int seats : {2, 3, 6}) {
    SampleOptions options;
    options.seats = seats;
    options.committed = seats == 3;
    options.time_out_at = 7;
    const Replay replay = PlaySample(options);
    const std::string file = Encode(replay, SampleSigner());
    const absl::StatusOr<Replay> read = Parse(file);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(Transcript(*read), Transcript(replay));
    EXPECT_EQ(Encode(*read, SampleSigner()), file);
    EXPECT_EQ(read->setup.time_control, replay.setup.time_control);
    EXPECT_EQ(read->setup.create_time, replay.setup.create_time);
  }
}

TEST(ReplayFile, ComesBackWithAllThatTimeAndFaultsLedTo) {
  for (SampleOptions options : {EventfulSample(), TimedOutSample(), StalledSample()}) {
    options.time_control.ready = absl::Seconds(7);
    const Replay replay = PlaySample(options);
    const std::string file = Encode(replay, SampleSigner());
    const absl::StatusOr<Replay> read = Parse(file);
    ASSERT_TRUE(read.ok()) << read.status();
    EXPECT_EQ(Encode(*read, SampleSigner()), file);
    EXPECT_EQ(read->setup.time_control, replay.setup.time_control);
    EXPECT_EQ(read->setup.policies, replay.setup.policies);
    EXPECT_EQ(ReplayJson(*read), ReplayJson(replay));
    for (size_t i = 0; i < replay.records.size(); ++i) {
      const auto* const turn = std::get_if<match::Played>(&replay.records[i]);
      if (turn == nullptr) continue;
      EXPECT_EQ(std::get<match::Played>(read->records[i]).timing, turn->timing);
      EXPECT_EQ(std::get<match::Played>(read->records[i]).substituted, turn->substituted);
    }
  }
}

TEST(ReplayFile, OfAMatchOfABlockComesBackAndVerifiesAlone) {
  for (const bool committed : {true, false}) {
    SampleOptions options = EventfulSample();
    options.committed = committed;
    options.rotation = 1;
    const Replay replay = PlaySample(options);
    const std::string file = Encode(replay, SampleSigner());
    EXPECT_EQ(Verify(file).problem, "");
    EXPECT_EQ(Parse(file)->setup.block, replay.setup.block);
  }
}

TEST(ReplayFile, CutAtAnyByteNeverVerifies) {
  const std::string file = SmallFile();
  ASSERT_TRUE(Verify(file).ok);
  for (size_t size = 0; size < file.size(); ++size) {
    const Verification found = Verify(absl::string_view(file).substr(0, size));
    EXPECT_FALSE(found.ok) << size;
    EXPECT_NE(found.problem, "") << size;
  }
}

TEST(ReplayFile, WithAnyBitFlippedNeverVerifies) {
  std::string file = SmallFile();
  for (size_t at = 0; at < file.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      file[at] = static_cast<char>(file[at] ^ (1 << bit));
      const Verification found = Verify(file);
      EXPECT_FALSE(found.ok) << at;
      EXPECT_NE(found.problem, "") << at;
      file[at] = static_cast<char>(file[at] ^ (1 << bit));
    }
  }
}

TEST(ReplayFile, WithBytesAfterItsEndIsRefused) {
  const Verification found = Verify(SmallFile() + "x");
  EXPECT_THAT(found.problem, HasSubstr("the file goes on after its end"));
}

TEST(ReplayFile, ThatIsSomethingElseIsRefusedAtItsFirstByte) {
  EXPECT_EQ(Parse("").status().message(), "byte 0: this is not a replay file");
  EXPECT_EQ(Parse("#!/bin/sh").status().message(), "byte 0: this is not a replay file");
}

TEST(ReplayFile, OfALaterVersionSaysSo) {
  std::string file = SmallFile();
  file[7] = 2;
  EXPECT_EQ(Parse(file).status().message(),
            "byte 7: a replay of format version 2; this program knows version 1");
}

TEST(ReplayFile, ThatClaimsToUnpackToTooMuchIsRefused) {
  std::string file = SmallFile();
  PutU32(static_cast<uint32_t>(limits::kMaxReplayBytes + 1), &file[12]);
  EXPECT_TRUE(absl::IsResourceExhausted(Parse(file).status()));
}

// A frame that unpacks to far more than the header says must not be unpacked.
TEST(ReplayFile, ThatUnpacksToMoreThanItSaysIsRefused) {
  std::string file = EncodeRecords(std::string(10'000'000, '\0'), SampleSigner());
  ASSERT_LT(file.size(), 10'000u);
  PutU32(100, &file[12]);
  EXPECT_THAT(std::string(Parse(file).status().message()),
              HasSubstr("not one zstd frame of the size stated"));
}

TEST(ReplayFile, WithTwoFramesIsRefused) {
  const std::string file = SmallFile();
  const uint32_t size = GetU32(absl::string_view(file).substr(8));
  std::string twice = file.substr(0, 16 + size) + file.substr(16);
  PutU32(2 * size, &twice[8]);
  EXPECT_THAT(std::string(Parse(twice).status().message()), HasSubstr("not one zstd frame"));
}

// The file with its records compressed as zstd does if asked for nothing more, signed anew.
std::string CompressedAnew(absl::string_view file, bool with_checksum) {
  const size_t frame_size = GetU32(file.substr(8));
  std::string records(GetU32(file.substr(12)), '\0');
  EXPECT_EQ(ZSTD_decompress(&records[0], records.size(), &file[16], frame_size), records.size());
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     &ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, with_checksum ? 1 : 0);
  std::string frame(ZSTD_compressBound(records.size()), '\0');
  frame.resize(
      ZSTD_compress2(context.get(), &frame[0], frame.size(), records.data(), records.size()));
  const Signer signer = SampleSigner();
  std::string anew = absl::StrCat(file.substr(0, 16), frame, dice::Raw(signer.public_key()));
  PutU32(static_cast<uint32_t>(frame.size()), &anew[8]);
  const Signature signature = signer.Sign(anew);
  anew.append(signature.begin(), signature.end());
  return anew;
}

TEST(ReplayFile, WhoseFrameHasNoChecksumIsRefused) {
  EXPECT_EQ(Verify(CompressedAnew(SmallFile(), /*with_checksum=*/true)).problem, "");
  const Verification found = Verify(CompressedAnew(SmallFile(), /*with_checksum=*/false));
  EXPECT_FALSE(found.ok);
  EXPECT_THAT(found.problem, HasSubstr("byte 20: the zstd frame of the records has no checksum"));
}

TEST(ReplayRecords, OfAnUnknownKindAreRefusedByPlace) {
  std::vector<std::string> records = EncodedRecords(PlaySample({}));
  records[2] = "\x7a\x02\x08\x01";  // field 15, a message
  EXPECT_THAT(ProblemOf(records), HasSubstr("record 3 (byte "));
  EXPECT_THAT(ProblemOf(records), HasSubstr("a kind that this version does not know"));
}

TEST(ReplayRecords, WithAnUnknownFieldAreRefused) {
  const std::vector<std::string> good = EncodedRecords(PlaySample({}));
  for (size_t i = 0; i < good.size(); ++i) {
    std::vector<std::string> records = good;
    records[i] += "\x98\x06\x01";  // field 99, a varint, beside the kind
    EXPECT_THAT(ProblemOf(records), HasSubstr("this version does not know")) << i;
  }
}

TEST(ReplayRecords, InAnotherOrderAreRefused) {
  const std::vector<std::string> good = EncodedRecords(PlaySample({}));
  for (size_t i = 0; i + 1 < good.size(); ++i) {
    std::vector<std::string> records = good;
    std::swap(records[i], records[i + 1]);
    const Verification found = Verify(FileOf(records));
    EXPECT_FALSE(found.ok) << i;
  }
}

TEST(ReplayRecords, WithoutAnEndAreRefused) {
  std::vector<std::string> records = EncodedRecords(PlaySample({}));
  records.pop_back();
  EXPECT_THAT(ProblemOf(records), HasSubstr("it is missing: a replay ends with an end"));
  EXPECT_THAT(ProblemOf({}), HasSubstr("it is missing"));
}

TEST(ReplayRecords, MayNotHoldASecret) {
  std::vector<std::string> records = EncodedRecords(PlaySample({}));
  std::string secret;
  RecordEncoder().AppendSecret(dice::PinnedSeed(7), &secret);
  records.insert(records.begin() + 1, secret);
  EXPECT_THAT(ProblemOf(records), HasSubstr("record 2 (byte "));
}

TEST(ReplayRecords, ThatCannotBeReadNameTheirTurn) {
  Replay replay = PlaySample({});
  std::vector<std::string> records = EncodedRecords(replay);
  v1::Record record;
  for (std::string& bytes : records) {
    ASSERT_TRUE(record.ParseFromString(bytes));
    if (!record.has_turn() || record.turn().number() != 9) continue;
    record.mutable_turn()->set_move("9:Z1>Z2");
    bytes = record.SerializeAsString();
  }
  const Verification found = Verify(FileOf(records));
  EXPECT_EQ(found.turn, 9u);
  EXPECT_THAT(found.problem, HasSubstr("turn 9: "));
}

// What is wrong with the first record of a match that `change` finds something to do with.
std::string ProblemAfter(const SampleOptions& options,
                         const std::function<bool(v1::Record*)>& change) {
  std::vector<std::string> records = EncodedRecords(PlaySample(options));
  EXPECT_EQ(ProblemOf(records), "");
  for (std::string& bytes : records) {
    v1::Record record;
    EXPECT_TRUE(record.ParseFromString(bytes));
    if (!change(&record)) continue;
    bytes = record.SerializeAsString();
    return ProblemOf(records);
  }
  return "there is no such record";
}

TEST(ReplayRecords, HaveOneFormOfEachSetting) {
  using v1::OpeningRecord;
  const auto opening = [](const std::function<void(OpeningRecord*)>& change) {
    return ProblemAfter(EventfulSample(), [&](v1::Record* record) {
      if (record->has_opening()) change(record->mutable_opening());
      return record->has_opening();
    });
  };
  const auto another = HasSubstr("or in another form");
  // The usual, said.
  EXPECT_THAT(opening([](OpeningRecord* o) { o->set_ready_ns(10'000'000'000); }), another);
  EXPECT_THAT(opening([](OpeningRecord* o) {
                o->mutable_on_illegal()->Clear();
                o->mutable_on_illegal()->set_action(v1::FAULT_ACTION_FORFEIT);
              }),
              another);
  EXPECT_THAT(opening([](OpeningRecord* o) { o->mutable_on_illegal()->Clear(); }), another);
  // What its action does not need.
  EXPECT_THAT(opening([](OpeningRecord* o) { o->mutable_on_illegal()->set_max_strikes(2); }),
              another);
  EXPECT_THAT(opening([](OpeningRecord* o) { o->mutable_on_timeout()->set_max_tries(2); }),
              another);
  EXPECT_THAT(opening([](OpeningRecord* o) { o->mutable_on_timeout()->clear_substitute(); }),
              another);
  // What versions before 0.9 left out.
  const auto before = HasSubstr("versions before 0.9 wrote such records");
  EXPECT_THAT(opening([](OpeningRecord* o) { o->clear_stall_per_move_ns(); }), before);
  EXPECT_THAT(opening([](OpeningRecord* o) { o->clear_stall_per_match_ns(); }), before);
  // What cannot be.
  EXPECT_THAT(opening([](OpeningRecord* o) {
                o->mutable_on_timeout()->Clear();
                o->mutable_on_timeout()->set_action(v1::FAULT_ACTION_RETRY);
                o->mutable_on_timeout()->set_max_tries(3);
              }),
              HasSubstr("cannot be tried again"));
  EXPECT_THAT(opening([](OpeningRecord* o) { o->mutable_on_timeout()->set_max_strikes(0); }),
              HasSubstr("on_timeout, strikes"));
  EXPECT_THAT(opening([](OpeningRecord* o) { o->set_link_grace_ns(-1); }), HasSubstr("link grace"));
  EXPECT_THAT(opening([](OpeningRecord* o) { o->set_lag_per_match_ns(1); }),
              HasSubstr("lag compensation"));
  EXPECT_THAT(opening([](OpeningRecord* o) { o->set_first_move_ns(-1); }), HasSubstr("first move"));
  EXPECT_THAT(opening([](OpeningRecord* o) { o->set_match_ns(-1); }), HasSubstr("match"));
}

TEST(ReplayRecords, OfFaultsHaveACauseThatForgives) {
  using v1::Record;
  EXPECT_THAT(ProblemAfter(EventfulSample(),
                           [](Record* record) {
                             if (record->has_fault()) {
                               record->mutable_fault()->set_cause(v1::FORFEIT_CAUSE_RESIGNED);
                             }
                             return record->has_fault();
                           }),
              HasSubstr("turn 8: its fault is neither TIMEOUT nor ILLEGAL"));
  EXPECT_THAT(
      ProblemAfter(EventfulSample(),
                   [](Record* record) {
                     const bool found = record->turn().substituted() != 0;
                     if (found) {
                       record->mutable_turn()->set_substituted(v1::FORFEIT_CAUSE_DISCONNECTED);
                     }
                     return found;
                   }),
      HasSubstr("turn 5: its fault is neither TIMEOUT nor ILLEGAL"));
}

TEST(ReplayRecords, OfNoContestHaveTimesAndOnlyTheEndAfterThem) {
  using v1::Record;
  EXPECT_THAT(ProblemAfter(StalledSample(),
                           [](Record* record) {
                             if (record->has_no_contest()) {
                               record->mutable_no_contest()->clear_timing();
                             }
                             return record->has_no_contest();
                           }),
              HasSubstr("turn 6: it does not say where the time went"));
  std::vector<std::string> records = EncodedRecords(PlaySample(StalledSample()));
  const size_t no_contest = records.size() - 2;
  std::swap(records[no_contest], records[no_contest - 1]);
  EXPECT_THAT(ProblemOf(records), HasSubstr("it is not in its place"));
}

TEST(ReplayRecords, OfRestartsComeAnywhereAfterTheOpening) {
  const std::vector<std::string> records = EncodedRecords(PlaySample(StalledSample()));
  std::string resumed;
  const Replay replay = PlaySample(StalledSample());
  RecordEncoder().AppendRecord(*replay.setup.game, match::Resumed{replay.setup.create_time},
                               &resumed);
  for (size_t i = 0; i <= records.size(); ++i) {
    std::vector<std::string> changed = records;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), resumed);
    EXPECT_EQ(ProblemOf(changed) == "", i > 0 && i < records.size()) << i;
  }
}

TEST(ReplayRecords, OfRestartsAreBounded) {
  const Replay replay = PlaySample(StalledSample());
  // Times that do not shrink, as honest ones do not.
  const auto resumed = [&replay](uint64_t i) {
    std::string record;
    const absl::Time time =
        absl::FromUnixMicros(static_cast<int64_t>(i * 2654435761 % 1'000'000'000'000));
    RecordEncoder().AppendRecord(*replay.setup.game, match::Resumed{time}, &record);
    return record;
  };
  std::vector<std::string> restarts;
  for (uint64_t i = 0; i < kMaxResumed; ++i) restarts.push_back(resumed(i));
  std::vector<std::string> records = EncodedRecords(replay);
  records.insert(records.begin() + 1, restarts.begin(), restarts.end());
  EXPECT_EQ(ProblemOf(records), "");
  records.insert(records.begin() + 1, resumed(0));
  EXPECT_THAT(ProblemOf(records), HasSubstr("more than 100000 restarts"));
}

// Equal records, or ever the same turn: a file of a few kilobytes with millions of them would take
// gigabytes.
TEST(ReplayRecords, OfEachKindAreBounded) {
  using Kind = v1::Record::KindCase;
  const auto flood = [](const SampleOptions& options, Kind kind, size_t count) {
    std::vector<std::string> records = EncodedRecords(PlaySample(options));
    const auto found =
        std::find_if(records.begin(), records.end(), [kind](const std::string& bytes) {
          v1::Record record;
          return record.ParseFromString(bytes) && record.kind_case() == kind;
        });
    if (found == records.end()) return std::string("there is no such record");
    const std::string record = *found;
    records.insert(found, count, record);
    return ProblemOf(records);
  };
  SampleOptions forfeits;
  forfeits.time_out_at = 7;
  EXPECT_THAT(flood({}, Kind::kDraw, 10'000), HasSubstr("there are more than 10000 draws"));
  EXPECT_THAT(flood({}, Kind::kTurn, 1), HasSubstr("its number does not follow turn 1"));
  EXPECT_THAT(flood(EventfulSample(), Kind::kFault, 1'000),
              HasSubstr("there are more than 1000 faults in the turn"));
  EXPECT_THAT(flood(forfeits, Kind::kForfeit, 10), HasSubstr("there are more forfeits than seats"));
}

TEST(ReplayRecords, AreNoMoreThanTheirFrameCanHold) {
  using Kind = v1::Record::KindCase;
  std::vector<std::string> records = EncodedRecords(PlaySample(EventfulSample()));
  const auto first = [&records](Kind kind) {
    return std::find_if(records.begin(), records.end(), [kind](const std::string& bytes) {
      v1::Record record;
      return record.ParseFromString(bytes) && record.kind_case() == kind;
    });
  };
  v1::Record turn;
  ASSERT_TRUE(turn.ParseFromString(*first(Kind::kTurn)));
  const std::string fault = *first(Kind::kFault);
  // As many faults as one turn may have, again and again.
  std::vector<std::string> flood;
  for (uint32_t number = 1; number <= 40; ++number) {
    turn.mutable_turn()->set_number(number);
    flood.push_back(turn.SerializeAsString());
    flood.insert(flood.end(), 1'000, fault);
  }
  records.insert(first(Kind::kTurn), flood.begin(), flood.end());
  EXPECT_THAT(ProblemOf(records), HasSubstr("bytes cannot hold so many records"));
}

TEST(ReplayFile, HoldsNoMoreThanItsFrameCan) {
  // 60 MiB of zeros are a frame of a few kilobytes.
  const std::string file = EncodeRecords(std::string(60 << 20, '\0'), SampleSigner());
  EXPECT_LT(file.size(), 16384u);
  const absl::Status status = Split(file).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("cannot hold records of"));
}

TEST(ReplayRecords, HaveNamesThatArePlainText) {
  Replay replay = PlaySample({});
  for (const char* name : {"\xc2\x9b"
                           "2J",
                           "ann\xe2\x80\xae",
                           "\xef\xbb\xbf"
                           "ann"}) {
    replay.setup.bots[0] = name;
    EXPECT_THAT(std::string(Parse(Encode(replay, SampleSigner())).status().message()),
                HasSubstr("UTF-8 without control characters"))
        << name;
  }
}

TEST(ReplayRecords, NeverVerifyWithAByteChangedAndSignedAgain) {
  SampleOptions options;
  options.cancel_at = 4;
  const Replay replay = PlaySample(options);
  const std::vector<std::string> good = EncodedRecords(replay);
  // What may be changed without becoming untrue: names, times, the seats' time used within limits.
  const std::string transcript = Transcript(replay);
  for (size_t i = 1; i < good.size(); ++i) {
    for (size_t at = 0; at < good[i].size(); ++at) {
      std::vector<std::string> records = good;
      records[i][at] = static_cast<char>(records[i][at] ^ 0x15);
      const std::string file = FileOf(records);
      const Verification found = Verify(file);
      if (!found.ok) continue;
      EXPECT_EQ(Transcript(Parse(file).value()), transcript) << i << " " << at;
    }
  }
}

TEST(Framing, VarintsHaveOneForm) {
  absl::string_view bytes("\x80\x00", 2);
  uint32_t value;
  EXPECT_FALSE(TakeVarint(&bytes, &value));
  for (const uint32_t number : {0u, 1u, 127u, 128u, 300u, UINT32_MAX}) {
    std::string text;
    AppendVarint(number, &text);
    absl::string_view rest = text;
    ASSERT_TRUE(TakeVarint(&rest, &value));
    EXPECT_EQ(value, number);
    EXPECT_TRUE(rest.empty());
  }
}

// The last three are those of RFC 3720, B.4.
TEST(Framing, ChecksumIsThatOfTheStandard) {
  EXPECT_EQ(Crc32c(""), 0u);
  EXPECT_EQ(Crc32c("a"), 0xc1d04330u);
  EXPECT_EQ(Crc32c("123456789"), 0xe3069283u);
  std::string counting(32, '\0');
  std::iota(counting.begin(), counting.end(), '\0');
  EXPECT_EQ(Crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(Crc32c(std::string(32, '\xff')), 0x62a8ab43u);
  EXPECT_EQ(Crc32c(counting), 0x46dd794eu);
}

}  // namespace
}  // namespace referee::replay
