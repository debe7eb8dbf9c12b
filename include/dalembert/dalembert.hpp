#pragma once
// Everything public. tools/check_layers.py keeps the list complete.

#include <dalembert/base.hpp>
#include <dalembert/canonical.hpp>
#include <dalembert/check.hpp>
#include <dalembert/description.hpp>
#include <dalembert/display.hpp>
#include <dalembert/expr.hpp>
#include <dalembert/formula.hpp>
#include <dalembert/gauss.hpp>
#include <dalembert/geometry.hpp>
#include <dalembert/hamel.hpp>
#include <dalembert/hodograph.hpp>
#include <dalembert/linear.hpp>
#include <dalembert/mechanics.hpp>
#include <dalembert/model.hpp>
#include <dalembert/position.hpp>
#include <dalembert/print.hpp>
#include <dalembert/program.hpp>
#include <dalembert/projection.hpp>
#include <dalembert/reactions.hpp>
#include <dalembert/report.hpp>
#include <dalembert/simulate.hpp>
#include <dalembert/study.hpp>
