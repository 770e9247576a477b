// Ratings: maximum-likelihood strengths under the model of Bradley and Terry (1952).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace arena {

// The score of two players against each other. A draw is half a point for both.
struct PairScore {
    std::size_t first = 0;  // players, numbered from 0
    std::size_t second = 0;
    double games = 0;
    double points = 0;          // of the first; 0..games
    std::int64_t meetings = 0;  // pairings that were planned; replays are not counted
};

struct Rating {
    double elo = 0;    // the mean of all who have played is 0; always finite
    double error = 0;  // half the width of the 95 % interval around it, against that mean
    bool played = false;
};

// A player d Elo above another scores 1 / (1 + 10^(-d/400)) against it. Besides its games, each
// player has one virtual draw against a player in the middle of the field. That makes the
// likelihood strictly concave: it has one maximum, which is finite at 100 % and for groups that
// never met. Fitted by Newton's method with conjugate gradients. Memory is linear in the pairs
// of players that met.
class EloFit {
  public:
    EloFit(std::size_t players, const std::vector<PairScore>& encounters);

    // By player, with errors from the Fisher information unless there are more than
    // `most_with_errors` players. Solves one system of equations a player: 1,000 players who
    // met 14 others take less than a second, 3,000 five, 10,000 a minute.
    std::vector<Rating> ratings(std::size_t most_with_errors = 10'000) const;
    // The same without errors: O(1).
    double elo(std::size_t player) const;

    // LOS: the likelihood that `first` is stronger than `second`. One system of equations.
    double superiority(std::size_t first, std::size_t second) const;

  private:
    using Vector = std::vector<double>;
    struct Meeting {
        std::size_t opponent = 0;
        double games = 0;
        double information = 0;  // at the fit: games times the variance of a result
    };

    double log_likelihood(const Vector& strengths) const;
    Vector gradient() const;
    void set_information();
    Vector times_information(const Vector& x) const;
    Vector solve(const Vector& right, double relative_error = 1e-5) const;
    void fit();

    std::vector<std::vector<Meeting>> meetings_;  // by player
    Vector points_;                               // by player, without the virtual draw
    Vector strengths_;                            // natural logarithms of the odds
    Vector diagonal_;                             // of the Fisher information
    Vector shares_;  // of each player in the mean: those who have played share alike
};

// A rating as tables show it: "+12", "-7", "+0".
std::string elo_text(double elo);

}  // namespace arena
