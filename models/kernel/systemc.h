#pragma once
// The only header that includes <systemc>. Differences between SystemC versions are absorbed here.

#include <systemc>
