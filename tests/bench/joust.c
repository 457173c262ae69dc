/* The C twin of the joust in `bench.py`: the same rules, the same splitmix64 numbers, the same results.
 *
 * `jousts_by_table` draws each attack from the alias table of the rules record, `jousts_by_die` throws
 * its dice one by one. Both count the wins of attacker and defender and the jousts without a winner,
 * and return the stream's position, so that a bench can go on from there.
 */
#include <stdint.h>

#define GOLDEN 0x9E3779B97F4A7C15ULL
#define N_GUARDS 10

typedef struct {
    int64_t dice[2];        /* of attacker and defender */
    int64_t guard[2][2];    /* guard number, mounted and on foot */
    int64_t cover[2][6];    /* covers by face - 1 */
    int64_t wound_limit, max_rounds, enrage_dice, enrage_every_round, bits;
} Joust;

static inline uint64_t next(uint64_t *at)
{
    uint64_t z = *at += GOLDEN;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

static inline int64_t attack_by_table(const Joust *j, const uint64_t *table, int64_t dice, int to, int part, uint64_t *at)
{
    uint64_t random = next(at);
    int64_t row = (dice * N_GUARDS + j->guard[to][part]) << j->bits;
    uint64_t column = table[row + (int64_t)(random >> (64 - j->bits))];
    if (((random << j->bits) >> 10) < (column >> 10))
        return (column >> 5) & 31;
    return column & 31;
}

static inline int64_t attack_by_die(const Joust *j, const uint64_t *table, int64_t dice, int to, int part, uint64_t *at)
{
    int64_t hits_1 = 0, hits_2 = 0, hits_3 = 0;
    const int64_t *cover = j->cover[to] + 3 * part;
    (void)table;
    for (int64_t i = 0; i < dice; i++) {
        int64_t face = (int64_t)(((next(at) >> 32) * 6) >> 32) + 1 - 3 * part;
        hits_1 += face == 1;
        hits_2 += face == 2;
        hits_3 += face == 3;
    }
    hits_1 -= cover[0];
    hits_2 -= cover[1];
    hits_3 -= cover[2];
    return (hits_1 > 0 ? hits_1 : 0) + (hits_2 > 0 ? hits_2 : 0) + (hits_3 > 0 ? hits_3 : 0);
}

#define DEFINE_JOUSTS(NAME, ATTACK)                                                             \
    uint64_t NAME(const Joust *j, const uint64_t *table, int64_t n, uint64_t at, int64_t *wins) \
    {                                                                                           \
        const int64_t limit = j->wound_limit, most = j->max_rounds;                             \
        for (int64_t game = 0; game < n; game++) {                                              \
            int64_t hurt_a, hurt_d, rounds = 0;                                                 \
            do {                                                                                \
                int64_t rage = rounds == 1 || (rounds > 1 && j->enrage_every_round) ? j->enrage_dice : 0; \
                hurt_d = ATTACK(j, table, j->dice[0] + rage, 1, 0, &at);                        \
                hurt_a = ATTACK(j, table, j->dice[1] + rage, 0, 0, &at);                        \
                rounds++;                                                                       \
            } while (hurt_a + hurt_d == 0 && rounds < most);                                    \
            if (hurt_a > 0 && hurt_d > 0) {                                                     \
                while (hurt_a < limit && hurt_d < limit && rounds < most) {                     \
                    hurt_d += ATTACK(j, table, j->dice[0], 1, 1, &at);                          \
                    hurt_a += ATTACK(j, table, j->dice[1], 0, 1, &at);                          \
                    rounds++;                                                                   \
                }                                                                               \
                if (hurt_a < limit && hurt_d >= limit)                                          \
                    wins[0]++;                                                                  \
                else if (hurt_d < limit && hurt_a >= limit)                                     \
                    wins[1]++;                                                                  \
                else                                                                            \
                    wins[2]++;                                                                  \
            } else if (hurt_d > 0)                                                              \
                wins[0]++;                                                                      \
            else if (hurt_a > 0)                                                                \
                wins[1]++;                                                                      \
            else                                                                                \
                wins[2]++;                                                                      \
        }                                                                                       \
        return at;                                                                              \
    }

DEFINE_JOUSTS(jousts_by_table, attack_by_table)
DEFINE_JOUSTS(jousts_by_die, attack_by_die)
