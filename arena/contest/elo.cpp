#include "arena/contest/elo.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "arena/contest/pentanomial.hpp"

namespace arena {
namespace {

using Vector = std::vector<double>;

constexpr double kVirtualGames = 1;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
// log(logistic(x)), for x far below 0 too.
double log_logistic(double x) {
    return x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x));
}
double variance_at(double x) { return logistic(x) * logistic(-x); }

double elo_of_strength(double strength) { return strength * 400 / std::log(10.0); }

double dot(const Vector& a, const Vector& b) {
    return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

EloFit::EloFit(std::size_t players, const std::vector<PairScore>& encounters)
    : meetings_(players),
      points_(players),
      strengths_(players),
      diagonal_(players),
      shares_(players) {
    std::map<std::pair<std::size_t, std::size_t>, double> games;  // of both, from both sides
    for (const PairScore& encounter : encounters) {
        if (encounter.games <= 0 || encounter.first == encounter.second) continue;
        games[{encounter.first, encounter.second}] += encounter.games;
        games[{encounter.second, encounter.first}] += encounter.games;
        points_[encounter.first] += encounter.points;
        points_[encounter.second] += encounter.games - encounter.points;
    }
    for (const auto& [who, count] : games) meetings_[who.first].push_back({who.second, count});
    const auto idle = std::ranges::count_if(meetings_, &std::vector<Meeting>::empty);
    for (std::size_t i = 0; i < players; ++i) {
        if (meetings_[i].empty()) continue;
        shares_[i] = 1 / (static_cast<double>(players) - static_cast<double>(idle));
    }
    fit();
}

double EloFit::log_likelihood(const Vector& strengths) const {
    double sum = 0;
    for (std::size_t i = 0; i < meetings_.size(); ++i) {
        // With s points of n games: s log p + (n - s) log(1 - p) = s d + n log(1 - p).
        sum += points_[i] * strengths[i];
        for (const Meeting& meeting : meetings_[i]) {
            if (meeting.opponent < i) continue;
            const double above = strengths[i] - strengths[meeting.opponent];
            sum += meeting.games * (log_logistic(-above) - strengths[meeting.opponent]);
        }
        sum += kVirtualGames / 2 * (log_logistic(strengths[i]) + log_logistic(-strengths[i]));
    }
    return sum;
}

EloFit::Vector EloFit::gradient() const {
    Vector result = points_;
    for (std::size_t i = 0; i < meetings_.size(); ++i) {
        for (const Meeting& meeting : meetings_[i]) {
            const double above = strengths_[i] - strengths_[meeting.opponent];
            result[i] -= meeting.games * logistic(above);
        }
        result[i] += kVirtualGames * (0.5 - logistic(strengths_[i]));
    }
    return result;
}

void EloFit::set_information() {
    for (std::size_t i = 0; i < meetings_.size(); ++i) {
        diagonal_[i] = kVirtualGames * variance_at(strengths_[i]);
        for (Meeting& meeting : meetings_[i]) {
            const double above = strengths_[i] - strengths_[meeting.opponent];
            meeting.information = meeting.games * variance_at(above);
            diagonal_[i] += meeting.information;
        }
    }
}

EloFit::Vector EloFit::times_information(const Vector& x) const {
    Vector result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        double sum = diagonal_[i] * x[i];
        for (const Meeting& meeting : meetings_[i]) {
            sum -= meeting.information * x[meeting.opponent];
        }
        result[i] = sum;
    }
    return result;
}

// Conjugate gradients, preconditioned by the diagonal: the matrix is symmetric and diagonally
// dominant. What is read off the solution (a variance) has the square of its relative error.
EloFit::Vector EloFit::solve(const Vector& right, double relative_error) const {
    Vector x(right.size()), residual = right, scaled(right.size());
    const auto scale = [&] {
        for (std::size_t i = 0; i < right.size(); ++i) scaled[i] = residual[i] / diagonal_[i];
    };
    scale();
    Vector direction = scaled;
    double square = dot(residual, scaled);
    const double enough = square * relative_error * relative_error;
    for (std::size_t step = 0; step < 2 * right.size() + 20 && square > enough; ++step) {
        const Vector image = times_information(direction);
        const double length = square / dot(direction, image);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += length * direction[i];
        for (std::size_t i = 0; i < x.size(); ++i) residual[i] -= length * image[i];
        scale();
        const double next = dot(residual, scaled);
        for (std::size_t i = 0; i < x.size(); ++i) {
            direction[i] = scaled[i] + next / square * direction[i];
        }
        square = next;
    }
    return x;
}

void EloFit::fit() {
    double best = log_likelihood(strengths_);
    for (int iteration = 0; iteration < 200; ++iteration) {
        set_information();
        const Vector slope = gradient();
        const Vector step = solve(slope);
        if (dot(slope, step) < 1e-16 * (1 + std::abs(best))) break;  // twice what can be gained
        // Halves the step until it helps: far from the maximum a whole step may overshoot.
        double share = 1;
        for (; share > 1e-9; share /= 2) {
            Vector next = strengths_;
            for (std::size_t i = 0; i < next.size(); ++i) next[i] += share * step[i];
            const double likelihood = log_likelihood(next);
            if (!(likelihood >= best)) continue;
            strengths_ = std::move(next);
            best = likelihood;
            break;
        }
        if (share <= 1e-9) break;  // no better to the last digit
    }
    set_information();
}

double EloFit::elo(std::size_t player) const {
    return elo_of_strength(strengths_[player] - dot(shares_, strengths_));
}

std::vector<Rating> EloFit::ratings(std::size_t most_with_errors) const {
    const std::size_t players = strengths_.size();
    const double middle = dot(shares_, strengths_);
    std::vector<Rating> ratings(players);
    for (std::size_t i = 0; i < players; ++i) {
        ratings[i].elo = elo_of_strength(strengths_[i] - middle);
        ratings[i].played = !meetings_[i].empty();
    }
    if (players > most_with_errors) return ratings;
    // The variance of a strength less the mean: C_ii - 2 (C s)_i + s' C s, with C the inverse
    // of the information and s the shares.
    const Vector with_mean = solve(shares_);
    const double of_mean = dot(shares_, with_mean);
    for (std::size_t i = 0; i < players; ++i) {
        Vector unit(players);
        unit[i] = 1;
        const double own = solve(unit, 1e-3)[i];
        const double variance = own - 2 * with_mean[i] + of_mean;
        ratings[i].error =
            confidence_deviations() * elo_of_strength(std::sqrt(std::max(variance, 0.0)));
    }
    return ratings;
}

double EloFit::superiority(std::size_t first, std::size_t second) const {
    if (first == second) return 0.5;
    Vector difference(strengths_.size());
    difference[first] = 1;
    difference[second] = -1;
    const Vector solution = solve(difference);
    const double variance = solution[first] - solution[second];
    return normal_cdf((strengths_[first] - strengths_[second]) / std::sqrt(variance));
}

std::string elo_text(double elo) {
    return fmt::format("{:+.0f}", std::round(elo) + 0.0);  // no "-0"
}

}  // namespace arena
