#pragma once
// Everything public, stage by stage in the order of the flow.

#include <dalembert/base.hpp>
#include <dalembert/expr.hpp>
#include <dalembert/formula.hpp>
#include <dalembert/mechanics.hpp>
#include <dalembert/model.hpp>
