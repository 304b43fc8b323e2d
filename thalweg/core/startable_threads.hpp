// Whether threads can be started, asked before a library that could not do without them.
#pragma once

namespace thalweg {

/// `wanted`, where the system lets as many threads be started beside those that run; else 1, which is the
/// calling thread alone. For libraries that start threads of their own, and wait for ever for one that they
/// could not start. Starts them to find out.
int startable_threads(int wanted);

}  // namespace thalweg
