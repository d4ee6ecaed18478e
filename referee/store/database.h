// The names of the parts of SQLite (sqlite/sqlite.h) as the store's tables use them.
#ifndef REFEREE_STORE_DATABASE_H_
#define REFEREE_STORE_DATABASE_H_

#include "referee/sqlite/reader.h"
#include "referee/sqlite/sqlite.h"

namespace referee::store {

using sqlite::Connection;
using sqlite::Reader;
using sqlite::Statement;
using sqlite::ToMicros;
using sqlite::Transaction;

}  // namespace referee::store

#endif  // REFEREE_STORE_DATABASE_H_
