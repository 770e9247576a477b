#include "arena/contest/elo.hpp"

#include <cmath>

namespace arena::elo_test {

using Matrix = std::vector<std::vector<double>>;

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double elo_of_strength(double x) { return x * 400 / std::log(10.0); }

// The inverse, by Gauss and Jordan.
Matrix inverse(Matrix a) {
    const std::size_t n = a.size();
    Matrix b(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) b[i][i] = 1;
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t pivot = i;
        for (std::size_t k = i; k < n; ++k) {
            if (std::abs(a[k][i]) > std::abs(a[pivot][i])) pivot = k;
        }
        std::swap(a[i], a[pivot]);
        std::swap(b[i], b[pivot]);
        const double scale = a[i][i];
        for (std::size_t j = 0; j < n; ++j) a[i][j] /= scale, b[i][j] /= scale;
        for (std::size_t k = 0; k < n; ++k) {
            if (k == i) continue;
            const double factor = a[k][i];
            for (std::size_t j = 0; j < n; ++j) {
                a[k][j] -= factor * a[i][j];
                b[k][j] -= factor * b[i][j];
            }
        }
    }
    return b;
}

struct SlowFit {
    std::vector<double> strengths;
    Matrix covariance;
};

// Gradient ascent in small steps, with full matrices.
SlowFit slow_fit(std::size_t n, const std::vector<PairScore>& encounters) {
    SlowFit fit{std::vector<double>(n), {}};
    auto& x = fit.strengths;
    double most = 1;
    for (const PairScore& e : encounters) most += e.games;
    for (int step = 0; step < 300000; ++step) {
        std::vector<double> slope(n);
        for (const PairScore& e : encounters) {
            const double surprise = e.points - e.games * logistic(x[e.first] - x[e.second]);
            slope[e.first] += surprise;
            slope[e.second] -= surprise;
        }
        double largest = 0;
        for (std::size_t i = 0; i < n; ++i) {
            slope[i] += 0.5 - logistic(x[i]);
            largest = std::max(largest, std::abs(slope[i]));
            x[i] += slope[i] / most;
        }
        if (largest < 1e-11) break;
    }
    Matrix information(n, std::vector<double>(n));
    for (std::size_t i = 0; i < n; ++i) information[i][i] = logistic(x[i]) * logistic(-x[i]);
    for (const PairScore& e : encounters) {
        const double p = logistic(x[e.first] - x[e.second]);
        const double weight = e.games * p * (1 - p);
        information[e.first][e.first] += weight;
        information[e.second][e.second] += weight;
        information[e.first][e.second] -= weight;
        information[e.second][e.first] -= weight;
    }
    fit.covariance = inverse(information);
    return fit;
}

// Of each player in the mean of those who have played.
std::vector<double> shares_in_mean(std::size_t n, const std::vector<PairScore>& encounters) {
    std::set<std::size_t> played;
    for (const PairScore& e : encounters) {
        if (e.games > 0) played.insert({e.first, e.second});
    }
    std::vector<double> shares(n);
    for (const std::size_t i : played) shares[i] = 1 / static_cast<double>(played.size());
    return shares;
}

// The variance of x_i minus the mean.
double contrast_variance(const Matrix& covariance, std::size_t i,
                         const std::vector<double>& shares) {
    const std::size_t n = covariance.size();
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t k = 0; k < n; ++k) {
            const double a = (i == j ? 1 : 0) - shares[j];
            const double b = (i == k ? 1 : 0) - shares[k];
            sum += a * b * covariance[j][k];
        }
    }
    return sum;
}

std::vector<PairScore> random_encounters(std::size_t players, std::mt19937_64& random) {
    std::vector<PairScore> encounters;
    for (std::size_t i = 0; i < players; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (random() % 3 == 0) continue;
            const auto games = static_cast<double>(random() % 20);
            const double points =
                random() % 5 == 0 ? games : std::floor(games * logistic(double(i) - double(j)));
            encounters.push_back({i, j, games, points});
        }
    }
    return encounters;
}

TEST(Elo, AgreesWithASlowFit) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 12; ++round) {
        const std::size_t players = 2 + random() % 5;
        const auto encounters = random_encounters(players, random);
        const SlowFit slow = slow_fit(players, encounters);
        const EloFit fit(players, encounters);
        const auto ratings = fit.ratings();
        const auto shares = shares_in_mean(players, encounters);
        double mean = 0;
        for (std::size_t i = 0; i < players; ++i) mean += shares[i] * slow.strengths[i];
        for (std::size_t i = 0; i < players; ++i) {
            EXPECT_NEAR(ratings[i].elo, elo_of_strength(slow.strengths[i] - mean), 0.01);
            EXPECT_NEAR(fit.elo(i), ratings[i].elo, 1e-9);
            const double variance = contrast_variance(slow.covariance, i, shares);
            const double error = 1.959964 * elo_of_strength(std::sqrt(variance));
            EXPECT_NEAR(ratings[i].error, error, 0.01 + error * 1e-4);
        }
        const auto& c = slow.covariance;
        const double deviation = std::sqrt(c[0][0] + c[1][1] - 2 * c[0][1]);
        const double z = (slow.strengths[0] - slow.strengths[1]) / deviation;
        EXPECT_NEAR(fit.superiority(0, 1), 0.5 * std::erfc(-z / std::sqrt(2.0)), 1e-4);
    }
}

// Agresti, "Categorical Data Analysis", 2nd edition, section 10.6: the American League of 1987,
// in natural logarithms and against the last of them. 78 games a team leave little weight to
// the virtual draw.
TEST(Elo, AgreesWithAPublishedFit) {
    const std::vector<std::vector<double>> wins{{0, 7, 9, 7, 7, 9, 11}, {6, 0, 7, 5, 11, 9, 9},
                                                {4, 6, 0, 7, 7, 8, 12}, {6, 8, 6, 0, 6, 7, 10},
                                                {6, 2, 6, 7, 0, 7, 12}, {4, 4, 5, 6, 6, 0, 6},
                                                {2, 4, 1, 3, 1, 7, 0}};
    const std::vector<double> published{1.58, 1.44, 1.29, 1.25, 1.11, 0.68, 0};
    std::vector<PairScore> encounters;
    for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            encounters.push_back({i, j, wins[i][j] + wins[j][i], wins[i][j]});
        }
    }
    const EloFit fit(7, encounters);
    for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_NEAR(fit.elo(i) - fit.elo(6), elo_of_strength(published[i]), 6) << i;
    }
}

TEST(Elo, IsFiniteWhereAllGamesWereWon) {
    const auto ratings = EloFit(2, {{0, 1, 10, 10}}).ratings();
    // 10 (1 - p(d)) = p(d/2) - 1/2, by the virtual draw.
    const double d = (ratings[0].elo - ratings[1].elo) / elo_of_strength(1);
    EXPECT_NEAR(10 * (1 - logistic(d)), logistic(d / 2) - 0.5, 1e-6);
    EXPECT_GT(ratings[0].elo, 100);
    EXPECT_LT(ratings[0].elo, 1000);
    EXPECT_TRUE(std::isfinite(ratings[0].error));
    EXPECT_NEAR(ratings[0].elo, -ratings[1].elo, 1e-6);

    const auto many = EloFit(2, {{0, 1, 1e6, 1e6}}).ratings();
    EXPECT_TRUE(std::isfinite(many[0].elo) && std::isfinite(many[0].error));
    EXPECT_GT(many[0].elo, ratings[0].elo);
}

TEST(Elo, RatesGroupsThatNeverMet) {
    const EloFit fit(5, {{0, 1, 4, 3}, {2, 3, 4, 4}});
    const auto ratings = fit.ratings();
    for (const Rating& rating : ratings) EXPECT_TRUE(std::isfinite(rating.elo));
    EXPECT_GT(ratings[0].elo, ratings[1].elo);
    EXPECT_GT(ratings[2].elo, ratings[0].elo);
    EXPECT_TRUE(ratings[3].played);
    EXPECT_FALSE(ratings[4].played);
    EXPECT_TRUE(EloFit(0, {}).ratings().empty());
    EXPECT_EQ(EloFit(1, {}).ratings()[0].elo, 0);
}

TEST(Elo, AreNotMovedByAPlayerWithoutGames) {
    const std::vector<PairScore> games{{0, 1, 40, 30}, {1, 2, 40, 25}, {0, 2, 40, 40}};
    const auto without = EloFit(3, games).ratings();
    const auto with = EloFit(4, games).ratings();
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(with[i].elo, without[i].elo, 1e-6);
        EXPECT_NEAR(with[i].error, without[i].error, 0.01);
    }
}

TEST(Elo, KnowsTheLikelyStrongerPlayer) {
    const EloFit even(3, {{0, 1, 10, 5}, {1, 2, 10, 5}});
    EXPECT_NEAR(even.superiority(0, 2), 0.5, 1e-9);
    const EloFit fit(2, {{0, 1, 100, 60}});
    EXPECT_NEAR(fit.superiority(0, 1) + fit.superiority(1, 0), 1, 1e-9);
    // 60 of 100 are two deviations of 5 above 50.
    EXPECT_NEAR(fit.superiority(0, 1), 0.977, 0.003);
}

TEST(Elo, IntervalsHoldTheTruth) {
    std::mt19937_64 random(7);
    const std::vector<double> truth{-0.9, -0.2, 0.3, 0.8};  // of mean 0
    int held = 0, all = 0;
    for (int round = 0; round < 500; ++round) {
        std::vector<PairScore> encounters;
        for (std::size_t i = 0; i < 4; ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                std::binomial_distribution<int> wins(30, logistic(truth[i] - truth[j]));
                encounters.push_back({i, j, 30, static_cast<double>(wins(random))});
            }
        }
        const auto ratings = EloFit(4, encounters).ratings();
        for (std::size_t i = 0; i < 4; ++i, ++all) {
            const double off = std::abs(ratings[i].elo - elo_of_strength(truth[i]));
            held += off <= ratings[i].error ? 1 : 0;
        }
    }
    EXPECT_NEAR(held / static_cast<double>(all), 0.95, 0.015);
}

TEST(Elo, FitsThousandsOfPlayers) {
    std::mt19937_64 random(3);
    const std::size_t players = 4000;
    std::vector<double> truth(players);
    std::normal_distribution<double> normal;
    for (double& strength : truth) strength = normal(random);
    std::vector<PairScore> encounters;
    for (std::size_t i = 0; i < players; ++i) {
        for (int round = 0; round < 14; ++round) {
            const std::size_t j = random() % players;
            std::binomial_distribution<int> wins(4, logistic(truth[i] - truth[j]));
            encounters.push_back({i, j, 4, static_cast<double>(wins(random))});
        }
    }
    const EloFit fit(players, encounters);
    double covariance = 0, square = 0, other = 0;
    for (std::size_t i = 0; i < players; ++i) {
        covariance += fit.elo(i) * truth[i];
        square += fit.elo(i) * fit.elo(i);
        other += truth[i] * truth[i];
    }
    EXPECT_GT(covariance / std::sqrt(square * other), 0.95);
}

}  // namespace arena::elo_test
