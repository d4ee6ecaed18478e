/* The rules of the games, for any language that calls C: librefereerules.so.
 *
 *   referee_game* game = referee_game_new("hypnosia", 2, NULL);
 *   referee_state* state = referee_state_new(game, "36/24/12 1111,1111 - 0,0 - a 54");
 *   uint64_t moves[4096];
 *   const int64_t count = referee_state_moves(state, moves, 4096);
 *   int phase = referee_state_play(state, moves[0]);
 *   if (phase == REFEREE_CHANCE) phase = referee_state_draw(state, (int32_t[]){4, 2}, 2);
 *   referee_state_free(state);
 *   referee_game_free(game);
 *
 * Nothing here does I/O, reads a clock or draws a random number that does not follow from a seed.
 * No exception leaves a function.
 *
 * Errors: a function that returns a pointer returns NULL, one that returns a number returns -1, and
 * referee_rules_error() says why. What was given is then unchanged. Anything may be passed as a
 * name, a text or a number; pointers must be what the function says, and not NULL unless it says
 * so.
 *
 * Threads: a game may be used by many at a time, and so may a state by functions that take it as
 * const. Any other use of a state is for one thread at a time, and none beside it.
 *
 * Ownership: what a *_new or *_clone returns is the caller's, to be given to the *_free of its kind
 * once. NULL may be given. A state keeps its game alive.
 *
 * Texts: UTF-8, ended by a zero byte. A function that writes one into `text` returns its length
 * without that byte, like snprintf: what does not fit into `size` bytes is cut off. `text` may be
 * NULL if `size` is 0.
 */
#ifndef REFEREE_RULES_H_
#define REFEREE_RULES_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A program that was built with another number must not use the library. */
#define REFEREE_RULES_ABI 1

#define REFEREE_MAX_SEATS 10
#define REFEREE_MAX_DRAW 2 /* numbers in one draw, and dice of a turn */

enum {
  REFEREE_CHANCE = 0, /* a draw is due */
  REFEREE_TURN = 1,   /* a move is due */
  REFEREE_OVER = 2,
};

/* A game with its options settled and its seats counted. Never changes. */
typedef struct referee_game referee_game;
/* A position of a match, and what else the rules need to know of it. */
typedef struct referee_state referee_state;

/* What there is to know of a state at a glance. */
typedef struct referee_info {
  int32_t phase;      /* REFEREE_CHANCE, REFEREE_TURN or REFEREE_OVER */
  int32_t seat;       /* to move, or to roll for its turn; -1: not known yet, or over */
  int32_t first;      /* who began; -1: not known */
  int32_t sides;      /* of the draw that is due: each number is below this; 0: none is due */
  int32_t numbers;    /* how many numbers that draw has */
  int32_t dice_count; /* of the turn that is due; 0 in games without dice */
  int32_t dice[REFEREE_MAX_DRAW];       /* 1 to 6 each */
  int32_t scores[REFEREE_MAX_SEATS];    /* by seat, as if the game ended here */
  int32_t ranks[REFEREE_MAX_SEATS];     /* by seat, 1 2 2 4; 0 until the game is over */
  int32_t forfeited[REFEREE_MAX_SEATS]; /* by seat, 1: it is out; 0 where the game is over */
} referee_info;

/* REFEREE_RULES_ABI of the library. */
int32_t referee_rules_abi(void);
/* Its version, such as "0.1.0". */
const char* referee_rules_version(void);
/* Why the last call of this thread that failed did; valid until its next call that fails. */
const char* referee_rules_error(void);

/* A game: "hypnosia" or "isaac". `options` are names and values in turn, ended by NULL, as refctl
 * takes them: {"turn_limit", "200", NULL}; of a file, its content. NULL: none. */
referee_game* referee_game_new(const char* name, int32_t seats, const char* const* options);
void referee_game_free(referee_game* game);

/* The state before the first draw; with a position string, that position. */
referee_state* referee_state_new(const referee_game* game, const char* position);
referee_state* referee_state_clone(const referee_state* state);
void referee_state_free(referee_state* state);

/* Fills `info`. Returns its phase. */
int32_t referee_state_info(const referee_state* state, referee_info* info);
/* Writes the position string. Fails while a draw is due. */
int64_t referee_state_position(const referee_state* state, char* text, size_t size);
/* Writes what a referee draws the due draw by, such as "roll/0/3" (referee/dice/DICE.md). */
int64_t referee_state_label(const referee_state* state, char* text, size_t size);
/* Writes why the game is over, such as "CENTRE_FULL". Fails before it is. */
int64_t referee_state_reason(const referee_state* state, char* text, size_t size);

/* Writes the first `capacity` of the legal moves, sorted by notation, and returns how many there
 * are: at least one, which may be the pass, 0. Fails unless a move is due. A move is a number that
 * means the same in every state of a game with the same options. */
int64_t referee_state_moves(referee_state* state, uint64_t* moves, int64_t capacity);
/* Finds the legal move that a notation means. Returns 0; fails, and says which rule it breaks. */
int32_t referee_state_find(referee_state* state, const char* notation, uint64_t* move);
/* Writes the notations of moves, each ended by a newline. They must be what referee_state_moves or
 * referee_state_find has given for a game with the same options. */
int64_t referee_move_texts(const referee_game* game, const uint64_t* moves, int64_t count,
                           char* text, size_t size);

/* Each of these changes a state, and returns the phase that it is in then. */
/* Plays a move for the seat to move. Fails if it is not legal. */
int32_t referee_state_play(referee_state* state, uint64_t move);
/* Goes on with the outcome of the draw that is due: `count` numbers, 0 to sides - 1. */
int32_t referee_state_draw(referee_state* state, const int32_t* numbers, int32_t count);
/* Replaces the dice of the turn that is due, 1 to 6 each, to ask "what if". */
int32_t referee_state_set_dice(referee_state* state, const int32_t* dice, int32_t count);
/* Takes a seat out of the game, whoever is to move. */
int32_t referee_state_forfeit(referee_state* state, int32_t seat);

/* Plays `count` matches to their ends from a state, which stays as it is: each move is chosen from
 * the legal ones with equal chances, and dice fall by chance.
 *
 * `ranks` and `scores`, unless NULL, are filled with `count` rows of a number for each seat: how
 * each match ended. Playout i of a seed is the first of the seed `seed + i`: so threads, each with
 * states of its own, can share the work. Returns how many moves were played. */
int64_t referee_state_playouts(const referee_state* state, int64_t count, uint64_t seed,
                               int32_t* ranks, int32_t* scores);

#ifdef __cplusplus
}
#endif

#endif  // REFEREE_RULES_H_
