#include "referee/games/hypnosia/board_file.h"
#include "referee/base/errors.h"

#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "referee/base/limits.h"
#include "referee/games/errors.h"

namespace referee::games::hypnosia {
namespace {

// A name, a number, a string with its quotes, or a single character.
struct Token {
  enum class Kind { kEnd, kWord, kNumber, kString, kSign };
  Kind kind = Kind::kEnd;
  absl::string_view text;
  int line = 1;
  int column = 1;

  bool is(char sign) const { return kind == Kind::kSign && text[0] == sign; }
};

bool IsWordByte(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// Cuts a text into tokens.
class Tokens {
 public:
  explicit Tokens(absl::string_view text) : rest_(text) {}

  // The next token; from the end on kEnd.
  Token Next() {
    SkipBlanks();
    Token token;
    token.line = line_;
    token.column = column_;
    if (rest_.empty()) return token;
    size_t size = 1;
    if (IsWordByte(rest_[0])) {
      token.kind = absl::ascii_isdigit(rest_[0]) ? Token::Kind::kNumber : Token::Kind::kWord;
      while (size < rest_.size() && IsWordByte(rest_[size])) ++size;
    } else if (rest_[0] == '"' || rest_[0] == '\'') {
      token.kind = Token::Kind::kString;
      size = StringSize();
    } else {
      token.kind = Token::Kind::kSign;
    }
    token.text = rest_.substr(0, size);
    Drop(size);
    return token;
  }

 private:
  void SkipBlanks() {
    while (!rest_.empty() && (absl::ascii_isspace(rest_[0]) || rest_[0] == '#')) {
      const bool comment = rest_[0] == '#';
      const size_t line_end = rest_.find('\n');
      Drop(!comment ? 1 : line_end == rest_.npos ? rest_.size() : line_end);
    }
  }

  // Up to and with the closing quote; up to the end of the line or the text if there is none.
  size_t StringSize() const {
    const char ends[] = {rest_[0], '\n', '\0'};
    const size_t end = rest_.find_first_of(absl::string_view(ends, 2), 1);
    if (end == rest_.npos) return rest_.size();
    return rest_[end] == '\n' ? end : end + 1;
  }

  void Drop(size_t size) {
    for (; size > 0; --size) {
      const bool line_end = rest_[0] == '\n';
      line_ += line_end ? 1 : 0;
      column_ = line_end ? 1 : column_ + 1;
      rest_.remove_prefix(1);
    }
  }

  absl::string_view rest_;
  int line_ = 1;
  int column_ = 1;
};

// Reads one file. What reads something returns whether it could; the first that could not has set
// status().
class Reader {
 public:
  explicit Reader(absl::string_view text) : tokens_(text) { Advance(); }

  const absl::Status& status() const { return status_; }

  bool ReadBoard(BoardSpec* board) {
    bool has_name = false, has_places = false;
    while (token_.kind != Token::Kind::kEnd) {
      const bool read = ReadField([&](const Token& field) {
        if (field.text == "name") return Once(field, &has_name) && ReadString(&board->name);
        if (field.text == "ring") {
          return ReadMessages([&] { return ReadRing(&board->rings.emplace_back()); });
        }
        if (field.text == "lane_entry") return ReadNumbers(&board->lane_entries);
        if (field.text == "centre_places") {
          return Once(field, &has_places) && ReadNumberField(&board->centre_places);
        }
        return FailUnknown(field, "a board has name, ring, lane_entry and centre_places");
      });
      if (!read) return false;
    }
    return true;
  }

 private:
  bool ReadRing(BoardSpec::Ring* ring) {
    bool has_size = false;
    return ReadMessage([&](const Token& field) {
      if (field.text == "size") return Once(field, &has_size) && ReadNumberField(&ring->size);
      if (field.text == "bridge") {
        return ReadMessages([&] { return ReadBridge(&ring->bridges.emplace_back()); });
      }
      return FailUnknown(field, "a ring has size and bridge");
    });
  }

  bool ReadBridge(BoardSpec::Bridge* bridge) {
    bool has_from = false, has_to = false;
    return ReadMessage([&](const Token& field) {
      if (field.text == "from") return Once(field, &has_from) && ReadNumberField(&bridge->from);
      if (field.text == "to") return Once(field, &has_to) && ReadNumberField(&bridge->to.emplace());
      return FailUnknown(field, "a bridge has from and to");
    });
  }

  // The name of a field, what `value` reads, and a separator if there is one.
  template <typename Value>
  bool ReadField(Value value) {
    if (token_.kind != Token::Kind::kWord) return Fail(token_, "a field's name");
    const Token field = token_;
    Advance();
    if (!value(field)) return false;
    if (token_.is(',') || token_.is(';')) Advance();
    return true;
  }

  // "{ fields }" or "< fields >".
  template <typename Field>
  bool ReadMessage(Field field) {
    if (!token_.is('{') && !token_.is('<')) return Fail(token_, "'{'");
    const char close = token_.is('{') ? '}' : '>';
    Advance();
    while (!token_.is(close)) {
      if (token_.kind == Token::Kind::kEnd) return Fail(token_, close == '}' ? "'}'" : "'>'");
      if (!ReadField(field)) return false;
    }
    Advance();
    return true;
  }

  // A message, or a list of them, with or without a colon before.
  template <typename Message>
  bool ReadMessages(Message message) {
    if (token_.is(':')) Advance();
    return token_.is('[') ? ReadList(message) : message();
  }

  // ": number" or ": [numbers]".
  bool ReadNumbers(std::vector<uint32_t>* numbers) {
    const auto number = [&] { return ReadNumber(&numbers->emplace_back()); };
    if (!ReadColon()) return false;
    return token_.is('[') ? ReadList(number) : number();
  }

  template <typename Element>
  bool ReadList(Element element) {
    Advance();
    if (token_.is(']')) {
      Advance();
      return true;
    }
    while (true) {
      if (!element()) return false;
      const bool more = token_.is(',');
      if (!more && !token_.is(']')) return Fail(token_, "',' or ']'");
      Advance();
      if (!more) return true;
    }
  }

  bool ReadNumberField(uint32_t* number) { return ReadColon() && ReadNumber(number); }

  bool ReadNumber(uint32_t* number) {
    const bool decimal = token_.kind == Token::Kind::kNumber &&
                         (token_.text.size() == 1 || token_.text[0] != '0') &&
                         absl::SimpleAtoi(token_.text, number);
    if (!decimal) return Fail(token_, "a number in decimal, 0 to 4294967295");
    Advance();
    return true;
  }

  bool ReadString(std::string* text) {
    if (!ReadColon()) return false;
    if (token_.kind != Token::Kind::kString) return Fail(token_, "a string in quotes");
    if (token_.text.size() < 2 || token_.text.back() != token_.text.front()) {
      return Fail(token_, "a string that ends in its line");
    }
    const absl::string_view inner = token_.text.substr(1, token_.text.size() - 2);
    if (inner.find('\\') != inner.npos) return Fail(token_, "a string without escapes");
    text->assign(inner.data(), inner.size());
    Advance();
    return true;
  }

  bool ReadColon() {
    if (!token_.is(':')) return Fail(token_, "':'");
    Advance();
    return true;
  }

  bool Once(const Token& field, bool* seen) {
    if (*seen) return FailWith(field, absl::StrCat("'", field.text, "' is given twice"));
    *seen = true;
    return true;
  }

  bool FailUnknown(const Token& field, absl::string_view known) {
    return FailWith(field, absl::StrCat("there is no field ", Shown(field), "; ", known));
  }
  bool Fail(const Token& token, absl::string_view expected) {
    return FailWith(token, absl::StrCat(Shown(token), " where there must be ", expected));
  }
  bool FailWith(const Token& token, absl::string_view why) {
    status_ = BadBoardSyntax(token.line, token.column, why);
    return false;
  }

  static std::string Shown(const Token& token) {
    constexpr size_t kMost = 40;  // bytes
    if (token.kind == Token::Kind::kEnd) return "the file ends";
    return absl::StrCat("'", absl::CHexEscape(token.text.substr(0, kMost)), "'");
  }

  void Advance() { token_ = tokens_.Next(); }

  Tokens tokens_;
  Token token_;
  absl::Status status_;
};

}  // namespace

absl::StatusOr<BoardSpec> ParseBoardFile(absl::string_view text) {
  if (text.size() > limits::kMaxOptionBytes) return OptionTooLarge("board", text.size());
  Reader reader(text);
  BoardSpec board;
  if (!reader.ReadBoard(&board)) return reader.status();
  return board;
}

}  // namespace referee::games::hypnosia
