// Writes the conformance vectors: reads questions, a JSON object a line, and writes their answers
// to the files of a folder, by kind. What questions and answers are: vectors/README.md.
//
//   make_vectors QUESTIONS FOLDER
//
// Exit status: 0; 1 if a question cannot be answered or a file not be written; 2 for wrong
// arguments.
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <string>

#include "tests/golden/answers.h"

namespace referee::golden {
namespace {

std::string FileOf(const std::string& kind) {
  static const std::map<std::string, std::string> kFiles = {
      {"key", "dice"},           {"uniform", "dice"},
      {"position", "positions"}, {"bad-position", "positions"},
      {"legal", "moves"},        {"apply", "moves"},
      {"bad-move", "moves"},     {"forfeit", "ends"},
      {"end", "ends"},           {"match", "matches"}};
  return kFiles.at(kind) + ".jsonl";
}

// Returns whether all questions were answered; adds the answers to `files`.
bool AnswerAll(const std::string& path, std::map<std::string, std::string>* files) {
  std::ifstream questions(path);
  std::string line;
  for (int number = 1; std::getline(questions, line); ++number) {
    if (line.empty() || line.front() == '#') continue;
    try {
      for (const Json& vector : Answer(Json::parse(line))) {
        (*files)[FileOf(vector.at("kind"))] += vector.dump() + "\n";
      }
    } catch (const std::exception& problem) {
      std::fprintf(stderr, "%s:%d: %s\n", path.c_str(), number, problem.what());
      return false;
    }
  }
  return !files->empty();
}

int Run(const std::string& questions, const std::string& folder) {
  std::map<std::string, std::string> files;
  if (!AnswerAll(questions, &files)) {
    std::fprintf(stderr, "make_vectors: no vectors from %s\n", questions.c_str());
    return 1;
  }
  for (const auto& [name, text] : files) {
    std::ofstream file(folder + "/" + name, std::ios::binary);
    file << text;
    if (file.flush()) continue;
    std::fprintf(stderr, "make_vectors: cannot write %s/%s\n", folder.c_str(), name.c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace referee::golden

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "Usage: make_vectors QUESTIONS FOLDER\n");
    return 2;
  }
  return referee::golden::Run(argv[1], argv[2]);
}
