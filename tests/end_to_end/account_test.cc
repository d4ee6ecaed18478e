// refctl bot, against a running refereed and on its store; TLS that is exchanged by SIGHUP.

#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tests/end_to_end/program.h"
#include "tests/support/certificates.h"

namespace referee::end_to_end {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class Accounts : public SandboxTest {
 protected:
  void TearDown() override {
    if (referee_ > 0) Stop();
  }

  void Start(const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = {"refereed",   "--listen",        address_, "--data-dir",
                                        Path("data"), "--drain-timeout", "0s"};
    command.insert(command.end(), more.begin(), more.end());
    referee_ = sandbox_.Start(command);
    ASSERT_TRUE(Logged("ready: listening on "));
    const std::string log = sandbox_.Written(referee_).err;
    const size_t begin = log.find("listening on ") + 13;
    dialled_ = log.substr(begin, log.find(',', begin) - begin);
  }
  bool Logged(const std::string& what) {
    return Eventually(
        [&] { return sandbox_.Written(referee_).err.find(what) != std::string::npos; });
  }
  void Stop() {
    kill(referee_, SIGTERM);
    EXPECT_EQ(sandbox_.Await(referee_).status, 0);
    referee_ = -1;
  }
  // What a referee says that does not start.
  std::string Refusal(const std::vector<std::string>& more) {
    std::vector<std::string> command = {"refereed", "--listen", address_, "--data-dir",
                                        Path("data")};
    command.insert(command.end(), more.begin(), more.end());
    const Ran ran = sandbox_.Run(command);
    EXPECT_EQ(ran.status, 2) << ran.err;
    return ran.err;
  }
  Ran Bot(std::vector<std::string> arguments, const std::string& token = "") {
    arguments.insert(arguments.begin(), {"refctl", "bot"});
    return sandbox_.Run(arguments, {{"REFEREE_ADDRESS", dialled_}, {"REFEREE_TOKEN", token}});
  }
  Ran Local(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--data-dir", Path("data")});
    return Bot(arguments);
  }
  static std::string Token(const Ran& ran) {
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_THAT(ran.out, MatchesRegex("rfb_[a-z2-7]{52}\n"));
    return std::string(absl::StripAsciiWhitespace(ran.out));
  }

  std::string address_ = "unix:" + Path("socket");
  std::string dialled_;
  pid_t referee_ = -1;
};

// --- Accounts. ---

TEST_F(Accounts, BeginWithAnOrganiserMadeBeforeTheFirstStart) {
  const std::string olga = Token(Local({"add", "olga", "--role", "organiser"}));
  Start();
  const Ran refused = Bot({"list"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("only an organiser"), HasSubstr("--token-file")));
  Token(Bot({"add", "alice"}, olga));
  EXPECT_THAT(Bot({"list"}, olga).out,
              AllOf(HasSubstr("alice "), HasSubstr("not connected"), HasSubstr("  organiser")));
  EXPECT_THAT(Bot({"show", "alice", "--json"}, olga).out, HasSubstr("\"role\":\"ROLE_BOT\""));
  EXPECT_THAT(Bot({"audit"}, olga).out,
              AllOf(HasSubstr("olga  bot.add  alice  bot"), HasSubstr("local  bot.add  olga")));
}

TEST_F(Accounts, AreChangedBesideARunningReferee) {
  Start();
  const std::string olga = Token(Local({"add", "olga", "--role", "organiser"}));
  const std::string alice = Token(Local({"add", "alice"}));
  const pid_t bot =
      sandbox_.Start({"tests/faulty"}, {{"REFEREE_ADDRESS", dialled_}, {"REFEREE_TOKEN", alice}});
  ASSERT_TRUE(Eventually([&] {
    return Bot({"show", "alice"}, olga).out.find("now      connected") != std::string::npos;
  }));
  Token(Local({"rotate", "alice"}));
  EXPECT_TRUE(Eventually([&] {
    return Bot({"show", "alice"}, olga).out.find("not connected") != std::string::npos;
  }));
  kill(bot, SIGKILL);
  sandbox_.Await(bot);
}

TEST_F(Accounts, AndBansAreChangedWithAWordOfWhatWasDone) {
  const auto ban = [this](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"refctl", "ban"});
    arguments.insert(arguments.end(), {"--data-dir", Path("data")});
    return sandbox_.Run(arguments);
  };
  EXPECT_EQ(Local({"add", "olga", "--role", "organiser", "--save-token", Path("olga")}).out,
            absl::StrCat("saved the token in ", Path("olga"), "\n"));
  Token(Local({"add", "alice"}));
  const Ran none = ban({"list"});
  EXPECT_EQ(none.status, 0);
  EXPECT_EQ(none.err, "refctl: there are no bans\n");
  EXPECT_THAT(ban({"add", "--account", "alice"}).out, HasSubstr("account  alice"));
  EXPECT_EQ(ban({"remove", "--account", "alice"}).out, "lifted the ban of alice\n");
  const Ran typo = ban({"add", "--account", "allice"});
  EXPECT_EQ(typo.status, 1);
  EXPECT_THAT(typo.err, HasSubstr("'allice': there is none of this name"));
  const Ran last = ban({"add", "--account", "olga"});
  EXPECT_EQ(last.status, 1);
  EXPECT_THAT(last.err, HasSubstr("the last organiser"));
  EXPECT_EQ(Local({"remove", "alice", "--yes"}).out, "removed alice\n");
}

TEST_F(Accounts, RenewTheirOwnTokensWhichMayEnd) {
  Start();
  const std::string olga = Token(Local({"add", "olga", "--role", "organiser"}));
  const std::string alice = Token(Bot({"add", "alice", "--expires", "90d"}, olga));
  EXPECT_THAT(Bot({"show"}, alice).out, HasSubstr(", ends "));
  EXPECT_THAT(Bot({"list"}, olga).out, HasSubstr("token ends "));
  const std::string renewed = Token(Bot({"rotate"}, alice));
  EXPECT_TRUE(Eventually(
      [&] { return Bot({"show"}, renewed).out.find("used     last ") != std::string::npos; }));
  EXPECT_THAT(Bot({"list"}, olga).out, HasSubstr("last used "));
  EXPECT_THAT(Bot({"rotate"}, alice).err, HasSubstr("renewed already"));
  EXPECT_EQ(Bot({"rotate", "olga"}, renewed).status, 2);
  Token(Bot({"rotate", "alice", "--expires", "never"}, olga));
  EXPECT_THAT(Bot({"show", "alice"}, olga).out, Not(HasSubstr(", ends ")));
  const Ran wrong = Bot({"add", "bob", "--expires", "soon"}, olga);
  EXPECT_EQ(wrong.status, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("--expires"), HasSubstr("90d")));
  EXPECT_THAT(Bot({"audit"}, olga).out, HasSubstr("alice  bot.renew  alice"));
}

TEST_F(Accounts, AreDisabledEnabledAndRemovedByName) {
  Start();
  const std::string olga = Token(Local({"add", "olga", "--role", "organiser"}));
  Token(Bot({"add", "alice"}, olga));
  EXPECT_THAT(Bot({"disable", "alice", "--reason", "rain"}, olga).out, HasSubstr("disabled: rain"));
  EXPECT_THAT(Bot({"enable", "alice"}, olga).out, Not(HasSubstr("disabled")));
  EXPECT_EQ(Bot({"add", "alice"}, olga).status, 1);
  const Ran asked = Bot({"remove", "alice"}, olga);
  EXPECT_EQ(asked.status, 2);
  EXPECT_THAT(asked.err, HasSubstr("add --yes"));
  EXPECT_EQ(Bot({"show", "alice"}, olga).status, 0);
  EXPECT_EQ(Bot({"remove", "alice", "--yes"}, olga).status, 0);
  const Ran gone = Bot({"show", "alice"}, olga);
  EXPECT_EQ(gone.status, 1);
  EXPECT_THAT(gone.err, AllOf(StartsWith("refctl: "), HasSubstr("'alice'")));
  EXPECT_EQ(Bot({"add", "local"}, olga).status, 2);
  EXPECT_EQ(Bot({"add", "x", "--role", "king"}, olga).status, 2);
  EXPECT_EQ(Bot({"list", "--data-dir", "d", "--address", "unix:x"}, olga).status, 2);
}

TEST_F(Accounts, AreAskedForOnceARefereeThatIsStartingAnswers) {
  const std::string olga = Token(Local({"add", "olga", "--role", "organiser"}));
  const pid_t early = sandbox_.Start(
      {"refctl", "bot", "list", "--wait", "30s"},
      {{"REFEREE_ADDRESS", absl::StrCat("unix:", Path("socket"))}, {"REFEREE_TOKEN", olga}});
  Start();
  const Ran listed = sandbox_.Await(early);
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_THAT(listed.out, HasSubstr("olga"));
}

TEST_F(Accounts, HaveTheirTokensInFilesThatOthersCannotRead) {
  const std::string file = Path("olga.token");
  const Ran added = Local({"add", "olga", "--role", "organiser", "--save-token", file});
  EXPECT_EQ(added.status, 0) << added.err;
  EXPECT_EQ(added.out, absl::StrCat("saved the token in ", file, "\n"));
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  Start();
  EXPECT_EQ(Bot({"list", "--token-file", file}).status, 0);
  const Ran there = Bot({"add", "alice", "--token-file", file, "--save-token", file});
  EXPECT_EQ(there.status, 2);
  EXPECT_THAT(there.err, AllOf(HasSubstr("--save-token"), HasSubstr(file)));
  const Ran nowhere = Bot({"add", "alice", "--token-file", file, "--save-token", Path("no/file")});
  EXPECT_EQ(nowhere.status, 2);
  EXPECT_EQ(Bot({"show", "alice", "--token-file", file}).status, 1) << "a token was lost";
  const std::string pipe = Path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(Bot({"rotate", "olga", "--token-file", file, "--save-token", pipe}).status, 2);
  EXPECT_EQ(Bot({"rotate", "olga", "--token-file", file, "--save-token", file}).status, 0)
      << "a token was lost";
  EXPECT_EQ(Bot({"list", "--token-file", file}).status, 0);
}

TEST_F(Accounts, AreLookedForWithoutMakingAnything) {
  const Ran none = Local({"list"});
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.err, HasSubstr("there is no store"));
  EXPECT_FALSE(std::filesystem::exists(Path("data")));
  Token(Local({"add", "olga", "--role", "organiser"}));
  EXPECT_THAT(Local({"list"}).out, HasSubstr("olga"));
  EXPECT_THAT(Local({"audit"}).out, HasSubstr("bot.add"));
}

TEST_F(Accounts, OutliveTheReferee) {
  Start();
  const std::string olga = Token(Local({"add", "olga", "--role", "organiser"}));
  kill(referee_, SIGKILL);
  sandbox_.Await(referee_);
  Start();
  EXPECT_EQ(Bot({"list"}).status, 2);
  EXPECT_EQ(Bot({"list"}, olga).status, 0);
}

TEST_F(Accounts, AreNotInAFileThatIsNoStore) {
  Token(Local({"add", "olga", "--role", "organiser"}));
  WriteFile("data/store.db", std::string(10'000, 'x'));
  EXPECT_THAT(Refusal({}), HasSubstr("store.db"));
  EXPECT_THAT(Local({"list"}).err, HasSubstr("store.db"));
}

TEST_F(Accounts, OfObserversReadWhereOthersMayNot) {
  Token(Local({"add", "olga", "--role", "organiser"}));
  const std::string oscar = Token(Local({"add", "oscar", "--role", "observer"}));
  Start({"--readers", "observers"});
  const auto list = [&](const std::string& token) {
    return sandbox_.Run({"refctl", "match", "list"},
                        {{"REFEREE_ADDRESS", dialled_}, {"REFEREE_TOKEN", token}});
  };
  EXPECT_EQ(list("").status, 2);
  EXPECT_EQ(list(oscar).status, 0) << list(oscar).err;
  EXPECT_EQ(Bot({"list"}, oscar).status, 2);
}

TEST_F(Accounts, AreNotGivenToWhoeverIsOnTheMachine) {
  Start();
  const Ran refused = Bot({"add", "mallory", "--role", "organiser"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("refctl bot add NAME --role organiser --data-dir DIR"));
  EXPECT_EQ(Local({"list"}).out.find("mallory"), std::string::npos);
}

TEST_F(Accounts, AreBannedForATimeAndLetInAgain) {
  Start();
  const std::string olga = Token(Local({"add", "olga", "--role", "organiser"}));
  const auto ban = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"refctl", "ban"});
    return sandbox_.Run(arguments, {{"REFEREE_ADDRESS", dialled_}, {"REFEREE_TOKEN", olga}});
  };
  Token(Local({"add", "alice"}));
  EXPECT_EQ(ban({"add", "--account", "alice", "--for", "24h", "--reason", "floods"}).status, 0);
  EXPECT_EQ(ban({"add", "--network", "10.0.0.0/8", "--data-dir", Path("data")}).status, 0);
  EXPECT_THAT(ban({"list"}).out, AllOf(HasSubstr("account  alice  until "), HasSubstr("floods"),
                                       HasSubstr("address  10.0.0.0/8\n")));
  EXPECT_EQ(ban({"remove", "--account", "alice"}).status, 0);
  EXPECT_EQ(ban({"remove", "--account", "alice"}).status, 1);
  EXPECT_EQ(ban({"add", "--account", "alice", "--now"}).status, 0);
  EXPECT_EQ(ban({"add", "--account", "alice", "--now", "--data-dir", Path("data")}).status, 0);
  EXPECT_EQ(ban({"add"}).status, 2);
  EXPECT_EQ(ban({"add", "--account", "alice", "--for", "soon"}).status, 2);
}

TEST_F(Accounts, HaveAnAuditLogThatIsExportedOldestFirstAndByTime) {
  Start();
  const std::string olga = Token(Local({"add", "olga", "--role", "organiser"}));
  for (const char* name : {"alice", "bob"}) EXPECT_EQ(Bot({"add", name}, olga).status, 0);
  const auto subjects = [](const std::string& lines) {
    std::vector<std::string> found;
    for (const absl::string_view line : absl::StrSplit(lines, '\n', absl::SkipEmpty())) {
      found.push_back(nlohmann::json::parse(line).at("subject"));
    }
    return found;
  };
  EXPECT_THAT(subjects(Bot({"audit", "export"}, olga).out), ElementsAre("olga", "alice", "bob"));
  EXPECT_THAT(subjects(Local({"audit", "export", "--after", "1"}).out),
              ElementsAre("alice", "bob"));
  EXPECT_THAT(subjects(Local({"audit", "export", "--until", "2020-01-01"}).out), IsEmpty());
  EXPECT_THAT(subjects(Local({"audit", "export", "--from", "2020-01-01"}).out), SizeIs(3));
  EXPECT_EQ(Bot({"audit", "export", "--output", Path("audit.jsonl")}, olga).out, "");
  EXPECT_THAT(subjects(testing::ReadFile(Path("audit.jsonl"))), SizeIs(3));
  const Ran bad = Local({"audit", "export", "--from", "soon"});
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.err, HasSubstr("--from"));
  EXPECT_THAT(Bot({"audit", "--limit", "1"}, olga).out, HasSubstr("bob"));
}

// --- TLS. ---

class AccountsOverTls : public Accounts {
 protected:
  AccountsOverTls() {
    address_ = "127.0.0.1:0";
    Show(first_);
    organiser_ = Token(Local({"add", "olga", "--role", "organiser"}));
  }
  // Puts a certificate and its key where the referee reads them.
  void Show(const referee::testing::Certificate& certificate) {
    WriteFile("cert.pem", certificate.pem);
    WriteFile("key.pem", certificate.key);
  }
  bool Reached(const std::string& authority, const std::vector<std::string>& more = {}) {
    std::vector<std::string> list = {"list", "--tls-ca", Path(authority)};
    list.insert(list.end(), more.begin(), more.end());
    return Bot(list, organiser_).status == 0;
  }
  std::vector<std::string> Flags() const {
    return {"--tls-cert", Path("cert.pem"), "--tls-key", Path("key.pem")};
  }

  referee::testing::CertificateMaker maker_;
  const referee::testing::Certificate first_ = maker_.SelfSigned("referee");
  std::string organiser_;  // her token
};

TEST_F(AccountsOverTls, SeeTheNewCertificateAfterSighup) {
  WriteFile("first.pem", first_.pem);
  Start(Flags());
  EXPECT_TRUE(Reached("first.pem"));
  const referee::testing::Certificate second = maker_.SelfSigned("referee");
  WriteFile("second.pem", second.pem);
  Show(second);
  EXPECT_FALSE(Reached("second.pem"));
  kill(referee_, SIGHUP);
  ASSERT_TRUE(Logged("SIGHUP: new connections see the certificate that is valid until "));
  EXPECT_TRUE(Reached("second.pem"));
  EXPECT_FALSE(Reached("first.pem"));
}

TEST_F(AccountsOverTls, SeeTheOldCertificateAsLongAsTheNewOneWillNotDo) {
  WriteFile("first.pem", first_.pem);
  Start(Flags());
  WriteFile("key.pem", maker_.SelfSigned("other").key);
  kill(referee_, SIGHUP);
  ASSERT_TRUE(Logged("SIGHUP: the certificate stays as it was: TLS key: "));
  EXPECT_TRUE(Reached("first.pem"));
}

TEST_F(AccountsOverTls, NeedACertificateWhereTheRefereeAsksForOne) {
  const referee::testing::Certificate authority = maker_.SelfSigned("authority");
  const referee::testing::Certificate own = maker_.SignedBy(authority, "olga");
  WriteFile("first.pem", first_.pem);
  WriteFile("authority.pem", authority.pem);
  WriteFile("own.pem", own.pem);
  WriteFile("own-key.pem", own.key);
  std::vector<std::string> flags = Flags();
  flags.insert(flags.end(), {"--tls-client-ca", Path("authority.pem")});
  Start(flags);
  EXPECT_FALSE(Reached("first.pem"));
  EXPECT_TRUE(
      Reached("first.pem", {"--tls-cert", Path("own.pem"), "--tls-key", Path("own-key.pem")}));
}

}  // namespace
}  // namespace referee::end_to_end
