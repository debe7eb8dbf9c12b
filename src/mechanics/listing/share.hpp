#pragma once
// What several lines of a listing share gets a name of its own.

#include <dalembert/mechanics/listing.hpp>
#include <unordered_map>
#include <unordered_set>

namespace dalembert {

/// Names of expressions, by their nodes.
using GivenNames = std::unordered_map<NodeId, std::string>;

/// Names that the user gave, which no part may take.
std::unordered_set<std::string> names_in(const Model& model);
/// Characters of an expression written as it stands, about; saturates.
std::size_t estimate_width(Expr expression);
/// The parts, with definitions of what they and the results share put before the first that reads it. Parts in vector
/// notation stay as they are. What has a name given to it is named where it occurs, shared or not.
std::vector<NamedPart> share_parts(const Model& model, std::vector<NamedPart> parts, std::vector<Expr>& results,
                                   const GivenNames& given = {});

}  // namespace dalembert
