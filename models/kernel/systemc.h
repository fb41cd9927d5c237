#pragma once
// The only header that includes <systemc>.

#include <systemc>
