// All limits of the referee, each a bound on input: message sizes, file sizes, numbers of calls.
#ifndef REFEREE_BASE_LIMITS_H_
#define REFEREE_BASE_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace referee::limits {

// A token bucket: `per_second` sustained, and a burst of `burst` after a pause.
struct Rate {
  int64_t per_second;
  int64_t burst;
};

// Games.
inline constexpr int kMaxSeats = 10;
inline constexpr size_t kMaxOptionBytes = 64 * 1024;  // per option, including board files
inline constexpr size_t kMaxOptions = 64;             // per match
inline constexpr size_t kMaxPositionBytes = 16 * 1024;
inline constexpr size_t kMaxMoveBytes = 256;  // a move's notation
// Start positions of blocks, for one competition or duel: their number, and their bytes in all. The
// bound on the bytes leaves room for options in the request (kMaxReceivedBytes).
inline constexpr size_t kMaxPositions = 10'000;
inline constexpr size_t kMaxPositionsBytes = 160 * 1024;

// Names.
inline constexpr size_t kMaxNameBytes = 64;     // of a bot, a game, an option
inline constexpr size_t kMaxVersionBytes = 32;  // of a bot
inline constexpr size_t kMaxTokenBytes = 256;
inline constexpr size_t kMaxRequestIdBytes = 64;
inline constexpr size_t kMaxDescriptionBytes = 1000;  // of a competition
inline constexpr size_t kMaxReasonBytes = 256;        // for a cancellation, for disabling a bot
inline constexpr size_t kMaxNonceBytes = 32;

// Time.
inline constexpr absl::Duration kMinPerMove = absl::Milliseconds(1);
inline constexpr absl::Duration kMaxPerMove = absl::Hours(24);
inline constexpr absl::Duration kMaxBank = absl::Hours(24 * 7);
inline constexpr absl::Duration kReadyLimit =
    absl::Seconds(10);  // from MatchStart to Ready; default
inline constexpr absl::Duration kMaxReadyLimit = absl::Hours(1);
inline constexpr absl::Duration kMaxMatchTime = absl::Hours(24 * 30);
inline constexpr absl::Duration kMaxLinkGrace = absl::Hours(24);
inline constexpr absl::Duration kMinLagPerMove = absl::Microseconds(1);
inline constexpr absl::Duration kMaxLagPerMove = absl::Seconds(10);
inline constexpr absl::Duration kMaxLagPerMatch = absl::Hours(24);
inline constexpr int kDefaultLagMoves = 100;  // default lag per match, in lags per move
inline constexpr int kMaxStrikes = 1'000'000;
inline constexpr int kMaxTries = 100;
// A turn request may wait this long for the bot's connection at the referee's cost. The rest of a
// longer wait counts as the bot's time.
inline constexpr absl::Duration kHandoverLimit = absl::Milliseconds(5);
// A match waits this long for the report that a request was handed to the connection. After that,
// the match treats the request as handed over.
inline constexpr absl::Duration kOfferLimit = absl::Seconds(5);
// Stalls of the referee itself that are given back to the bot, per move and per seat and match.
inline constexpr absl::Duration kStallPerMove = absl::Seconds(1);  // default
inline constexpr int kDefaultStallMoves = 60;  // default per match, in kStallPerMove
inline constexpr absl::Duration kMaxStallPerMove = absl::Hours(1);
inline constexpr absl::Duration kMaxStallPerMatch = absl::Hours(24);

// Streams of bots: one message.
inline constexpr size_t kMaxReceivedBytes = 256 * 1024;  // a message from a bot
inline constexpr int kMaxItemsReceived = 4096;           // items in a message from a bot
inline constexpr int kMaxGamesInHello = 64;
inline constexpr int kMaxMatchesPerBot = 1024;  // at the same time

// Streams of bots: the traffic of one bot on all its streams. A bot that only replies stays far
// below: with 1024 matches on one stream it sends some ten thousand messages a second.
inline constexpr Rate kMessages{200'000, 200'000};
inline constexpr Rate kBytes{64 * 1024 * 1024, 64 * 1024 * 1024};
// Items that answer no request: resignations, faults, empty messages.
inline constexpr Rate kUnaskedItems{1'024, 8'192};
// Faults that get an answer. The burst covers a bot that was thinking when all its matches were
// cancelled.
inline constexpr Rate kFaults{16, 64 + kMaxMatchesPerBot};

// Streams of bots: how long a refused message counts against a bot. Stalls of the referee are
// charged to the bot in its current matches, and in those that start within this time.
inline constexpr absl::Duration kRefusalMemory = absl::Minutes(10);

// Streams of bots: bounds on items queued for a slow reader.
inline constexpr size_t kMaxQueuedItems = 16 * 1024;
// A stream may have kMaxQueuedBytesPerMatch more for each of its matches. This covers the state
// that a bot receives at once when it rejoins a match.
inline constexpr size_t kMaxQueuedBytes = 16 * 1024 * 1024;
inline constexpr size_t kMaxQueuedBytesPerMatch = 2 * kMaxOptionBytes + 2 * kMaxPositionBytes;
// For all streams together, in bytes on the wire; they take about twice as much memory. Beyond
// this, the stream with the largest queue is closed.
inline constexpr size_t kMaxQueuedBytesOfAll = 64 * 1024 * 1024;

// Streams of bots: bounds on their number.
inline constexpr absl::Duration kHelloLimit = absl::Seconds(10);
inline constexpr int kMaxMessagesBeforeHello = 16;
inline constexpr int kMaxStreams = 10'000;  // in all
// Streams that have not sent Hello. A new one beyond this number closes the one that has been
// silent longest.
inline constexpr int kMaxSilentStreams = 1'000;
inline constexpr int kMaxStreamsPerBot = 128;      // including those that are closing
inline constexpr Rate kHellos{4, 64};              // per bot
inline constexpr Rate kBadTokens{4, 64};           // per address
inline constexpr size_t kMaxBadAddresses = 4'096;  // addresses tracked for bad tokens
// Unknown tokens that are looked up, over all addresses. The bytes of any further ones count as
// unused bytes.
inline constexpr Rate kLookedUpTokens{4'000, 16'000};

// Accounts: the longest time until a change by another process takes effect.
inline constexpr absl::Duration kTokenRecheck = absl::Seconds(1);
// Tokens of accounts. A token that expires lives from kMinTokenLifetime to kMaxTokenLifetime. A
// token that its holder renewed stays valid for kFormerTokenTime more. The holder gets a notice
// kTokenNotice before the end, or in the last 1/kTokenNoticePart of the lifetime if that is
// shorter. The time of a token's last use is recorded to the nearest kUseInterval.
inline constexpr absl::Duration kMinTokenLifetime = absl::Minutes(1);
inline constexpr absl::Duration kMaxTokenLifetime = absl::Hours(24 * 3650);
inline constexpr absl::Duration kFormerTokenTime = absl::Minutes(10);
inline constexpr absl::Duration kTokenNotice = absl::Hours(24 * 14);
inline constexpr int kTokenNoticePart = 4;
inline constexpr absl::Duration kUseInterval = absl::Hours(1);

inline constexpr int kMaxBans = 1'000;
inline constexpr absl::Duration kMaxBanTime = absl::Hours(24 * 3650);
// How long the connections of a banned peer stay open, to deliver the reason.
inline constexpr absl::Duration kShutOutGrace = absl::Seconds(1);

// Streams of bots: pings, sent only together with turn requests.
inline constexpr absl::Duration kPingInterval = absl::Seconds(1);
inline constexpr absl::Duration kPingPatience =
    absl::Seconds(10);  // wait for a pong before the next ping

// Connections. Keepalive pings find dead peers. A peer is disconnected if it pings too often, does
// not finish its handshake in time, or has had no call for kIdleConnectionLimit.
inline constexpr absl::Duration kKeepaliveTime = absl::Seconds(20);
inline constexpr absl::Duration kKeepaliveTimeout = absl::Seconds(10);
inline constexpr absl::Duration kMinPingInterval = absl::Seconds(5);
inline constexpr int kMaxEarlyPings = 2;
inline constexpr absl::Duration kHandshakeLimit = absl::Seconds(10);
inline constexpr absl::Duration kIdleConnectionLimit = absl::Minutes(5);
inline constexpr int kMaxCallsPerConnection = 256;  // at the same time; others wait at the client
inline constexpr size_t kMaxMetadataBytes = 4 * 1024;

// Memory used on behalf of clients. Half is for connections and their calls, a bound that gRPC
// enforces. A quarter is for unread answers and events. A quarter is for items queued for bots;
// kMaxQueuedBytesOfAll is half of that quarter.
inline constexpr size_t kMemoryLimit = 512 * 1024 * 1024;
inline constexpr size_t kMinMemoryLimit = 32 * 1024 * 1024;
inline constexpr size_t kMaxAnswerBytes = kMemoryLimit / 4;

// Rates of calls, in units of cost: see AccessRule. A caller without a known token is charged by
// address.
inline constexpr Rate kAddressCalls{50, 500};
inline constexpr Rate kAccountCalls{200, 2'000};
inline constexpr Rate kOrganiserCalls{20'000, 200'000};
// Calls by which an account changes its entries or its token; each writes an audit log entry.
inline constexpr Rate kAccountChanges{1, 16};
inline constexpr int kMaxCallsPerAddress = 32;  // at the same time
inline constexpr int kMaxCallsPerAccount = 32;
inline constexpr int kMaxCallsPerOrganiser = 1'024;
inline constexpr int kMaxCalls = 4'096;  // at the same time, over all callers
// Callers without a token share one in kShareOfAddresses of all calls, watchers and bytes. So
// callers with a token find room, however many addresses call.
inline constexpr int kShareOfAddresses = 2;
inline constexpr int kMaxWatchesPerAddress = 64;
inline constexpr int kMaxWatchesPerAccount = 64;
inline constexpr size_t kMaxKnownCallers = 16'384;  // callers tracked
// How long an answer may take to be made and read.
inline constexpr absl::Duration kCallPatience = absl::Seconds(30);
// Connections: bounds on their number. Each takes two descriptors.
inline constexpr size_t kMaxConnections = 10'000;   // in all, by default; fewer if the
                                                    // limit on descriptors requires it
inline constexpr size_t kReservedDescriptors = 64;  // for files and everything else
// By default, one address may have one in kAddressesToFill of all connections.
inline constexpr size_t kAddressesToFill = 4;
// Connections per account. Further ones count as unknown.
inline constexpr size_t kMaxConnectionsPerAccount = 256;
// Connections without a recognised account. A new one beyond this number closes another.
inline constexpr size_t kMaxUnknownConnections = 1'000;

// Connections: the period of the check for connections to cut off, and the number checked at once.
inline constexpr absl::Duration kLookInterval = absl::Milliseconds(100);
inline constexpr size_t kConnectionsPerLook = 500;

// Connections: unused bytes are received bytes that have not become a call or a message of a call.
// On unknown connections the bound is per address; an address that sends more is refused for
// kWasteRefusal.
inline constexpr Rate kWaste{32 * 1024, kMaxReceivedBytes + 64 * 1024};  // a first call of any size
inline constexpr absl::Duration kWasteRefusal = absl::Minutes(1);
inline constexpr Rate kConnectionsWhileRefused{1, 4};  // per address, if there are accounts
// Unused bytes on known connections: the total on one connection, and the rate per account. A
// connection that exceeds the first bound is cut off. New connections of an account that exceeds
// the second count as unknown for kWasteRefusal.
inline constexpr uint64_t kMaxUnusedOfConnection = 4 * 1024 * 1024;
inline constexpr Rate kUnusedOfAccount{64 * 1024, 16 * 1024 * 1024};
// All connections together may hold one in kTransportToUnused of the bytes that gRPC may allocate
// as unused bytes, so these never fill its memory. Beyond this, the connection that holds the most
// is cut off.
inline constexpr size_t kTransportToUnused = 4;
inline constexpr uint64_t kBytesBetweenMeasures = 4 * 1024;
// The bytes that a call counts as, for its account and in all, until the service hears of the call.
// gRPC takes up to 30 KB for a call with kMaxMetadataBytes of metadata in many fields.
inline constexpr uint64_t kBytesOfUnheardCall = 32 * 1024;
// The first call of a connection is free: thousands of bots may reconnect at once, with one each.
inline constexpr uint64_t kFreeUnheardCalls = 1;
// When unknown connections together exceed their share (kShareOfAddresses), the one being read is
// cut off if it has more than this many unheard calls. Otherwise the one that holds the most is.
inline constexpr uint64_t kFewUnheardCalls = 8;
// Frames that the headers of one call may take, with kMaxMetadataBytes in all.
inline constexpr int kMaxHeaderFrames = 4;
// Unread answers to PING and SETTINGS frames: gRPC takes some 200 bytes for each. The first ones of
// a connection are free: clients ping to measure bandwidth.
inline constexpr uint64_t kBytesOfOwedAnswer = 256;
inline constexpr uint64_t kFreeOwedAnswers = 64;
// An answer counts as read once the peer has acknowledged this many more bytes. An answer has 17
// bytes, but other data is sent as well.
inline constexpr uint64_t kAcknowledgedPerAnswer = 64;
// Unix sockets have no acknowledgements: a peer with fewer unread bytes than this has read its
// answers.
inline constexpr int kMaxUnreadByReader = 32 * 1024;
// Bytes that do not count as unused.
inline constexpr size_t kBytesOfConnecting = 4 * 1024;     // preface, settings, TLS
inline constexpr size_t kBytesAroundMessage = 64;          // its frame, the TLS frame, pings
inline constexpr uint64_t kBytesPerAcknowledgedByte = 64;  // received per byte sent
inline constexpr uint64_t kBytesOfSecond = 128;  // per second: pings of an idle connection
inline constexpr size_t kBytesOfCall = 1024;     // including its headers

// Connections of known accounts: calls per account that never become visible to the service. These
// are calls that are reset at once, and bots' streams without a Hello. gRPC takes 14 KB for each,
// and up to 30 KB with large headers, until it has processed the call. Beyond this rate the
// connection is cut off, and new ones of the account count as unknown for kWasteRefusal.
//
// A client that does not reset calls at once stays far below. The service hears of one call of a
// bot's stream in any case. At most kMaxCallsPerConnection calls can be on their way to the
// service.
inline constexpr Rate kUnheardCalls{500, 4'000};
// Open calls, heard or not: per account, per address on unknown connections, and over all unknown
// connections. gRPC takes up to 30 KB for each. A connection that exceeds its bound is cut off.
// When the last bound is exceeded, connections with more than kFewOpenCalls are.
inline constexpr uint64_t kMaxOpenCallsOfAccount = 2'048;
inline constexpr uint64_t kMaxOpenCallsOfAddress = 512;
inline constexpr uint64_t kMaxOpenCallsOfUnknown = 4'096;
inline constexpr uint64_t kFewOpenCalls = 64;
// After this many bytes, gRPC is asked for its number of calls; some tens of calls fit into them.
inline constexpr uint64_t kBytesBeforeAsking = 1024;

// Connections: before they are handed to gRPC. A busy peer may hold up a thread that hands
// connections over, for a moment.
inline constexpr int kHandOverThreads = 4;
inline constexpr size_t kMaxProxyHeaderBytes = 4'096;
inline constexpr absl::Duration kProxyHeaderLimit = absl::Seconds(5);
// How long the server stops accepting when no descriptor is left.
inline constexpr absl::Duration kAcceptPause = absl::Milliseconds(100);
// The self-check of a server: how often it dials itself, and how long it waits for the answer.
// After kSelfChecksUnanswered failures in a row it counts as deaf.
inline constexpr absl::Duration kSelfCheckInterval = absl::Seconds(10);
inline constexpr absl::Duration kSelfCheckPatience = absl::Seconds(10);
inline constexpr int kSelfChecksUnanswered = 4;
inline constexpr absl::Duration kSameLineInterval = absl::Minutes(1);  // per kind of log event
inline constexpr int kMaxOpenMatches = 100'000;                        // waiting or running
inline constexpr int kMaxRememberedMatches = 1'000;  // ended, for GetMatch and ListMatches
inline constexpr size_t kMaxStalls = 4096;           // stalls of the referee that are remembered
inline constexpr absl::Duration kSeatLimit = absl::Minutes(10);  // to be seated
//   kEntryPatience   how long matches wait for a bot of a lost entry, and an entry for a lost owner
//   kPeerSilence     the silence after which a stream counts as lost
//   kPeerBeat        how often each side sends something
//   kKeptSlots       how long slots are reserved for an owner that was refused some
//   k...PeerPause    the first and the longest pause before a lost stream is opened again
inline constexpr absl::Duration kEntryPatience = absl::Seconds(20);
inline constexpr absl::Duration kPeerSilence = absl::Seconds(5);
inline constexpr absl::Duration kPeerBeat = absl::Seconds(1);
inline constexpr absl::Duration kKeptSlots = absl::Milliseconds(250);
inline constexpr absl::Duration kFirstPeerPause = absl::Milliseconds(100);
inline constexpr absl::Duration kLongestPeerPause = absl::Seconds(2);
inline constexpr size_t kMaxStrangePeers = 64;  // streams that have not yet proved the secret
inline constexpr size_t kMaxPeerBytes = size_t{64} << 20;  // unread by a peer
inline constexpr int kMaxObservers = 1024;                 // watchers of matches and competitions
inline constexpr size_t kMaxQueuedObservations = 4096;     // queued for a slow observer
inline constexpr size_t kMaxQueuedObservationBytes = 512 * 1024;
// The same bounds with a watch delay; the queue then includes what is withheld.
inline constexpr size_t kMaxHeldObservations = 65'536;
inline constexpr size_t kMaxHeldObservationBytes = 8 * 1024 * 1024;
inline constexpr int kDefaultPageSize = 50;
inline constexpr int kMaxPageSize = 1000;
inline constexpr int kMaxPageSizeWithoutToken = 100;
inline constexpr int kMaxReflections = 32;      // gRPC uses a thread for each
inline constexpr int kMaxWaitingCalls = 1'000;  // queued for the threads of a service

// Competitions.
inline constexpr int kMaxSwissEntrants = 1'000;
inline constexpr int64_t kMaxBlocks = 1'000'000;  // of a competition without an open end
inline constexpr int kMaxBestOf = 99;
inline constexpr int kMaxExtraBlocks = 99;
inline constexpr int kMaxProvisionalWidth = 10'000;  // in Elo
inline constexpr int kMaxGoalWidth = 10'000;         // in Elo
// The pace of a ladder, in blocks that a bot starts per minute.
inline constexpr double kMinPace = 0.001;
inline constexpr double kMaxPace = 60'000;
inline constexpr int kMaxPriority = 1'000;  // the lowest is -kMaxPriority
// Blocks read by one call for the points of a test, and in one go for ratings.
inline constexpr int kMaxTestBlocksRead = 20'000;
// How long a block of a ladder that is not yet played waits for an offline bot before it is
// dropped.
inline constexpr absl::Duration kLadderPatience = absl::Seconds(10);
inline constexpr absl::Duration kMinAbsenceLimit = absl::Seconds(1);
inline constexpr absl::Duration kMaxAbsenceLimit = absl::Hours(24 * 30);
inline constexpr absl::Duration kMaxWatchDelay = absl::Hours(24);
inline constexpr absl::Duration kWatchInterval =
    absl::Seconds(1);                          // between two updates for a watcher
inline constexpr int kSilencesToSetAside = 3;  // default: matches in a row without a reply
inline constexpr int kMaxSilenceLimit = 1000;  // the most that a competition may set instead
// Results count in block order, so these bound how far fast bots play ahead of a slow block. A
// competition may have kUncountedPerPlayed uncounted blocks for each block that can be played at
// the same time, and at least kMinUncountedBlocks.
inline constexpr int kUncountedPerPlayed = 8;
inline constexpr int kMinUncountedBlocks = 1'024;
// A block is dropped after this many failed attempts. This is one more than the number that
// suspends bots, so that suspended bots are seen to be offline first.
inline constexpr int kMaxBlockAttempts = 4;
// A bot is suspended if it was late in kLatesToSetAside of its last kLatesLookBack attempts, which
// became void for that.
inline constexpr int kLatesToSetAside = 3;
inline constexpr int kLatesLookBack = 10;
inline constexpr int kMaxBlocksPerStep = 256;     // started at once
inline constexpr int kMaxCountedPerStep = 4'096;  // counted at once
inline constexpr int kMaxFittedBots = 2'000;      // the time for a fit grows with the cube
inline constexpr int kMaxCompetitionWatches = 1024;
// How long blocks belong to a referee after it last renewed its lease: the default and the allowed
// range. A referee stops relying on its lease kLeaseMargin before the end.
inline constexpr absl::Duration kBlockLease = absl::Seconds(15);
inline constexpr absl::Duration kMinBlockLease = absl::Seconds(3);
inline constexpr absl::Duration kMaxBlockLease = absl::Minutes(5);
inline constexpr absl::Duration kLeaseMargin = absl::Seconds(1);
// Referees take over a competition without an owner in a fixed order, each this much later than the
// one before.
inline constexpr absl::Duration kHomePatience = absl::Seconds(10);
// How long a block that is to be played again reserves the slots of its bots while some bots are
// offline. After the end of their referee, bots reconnect one by one.
inline constexpr absl::Duration kRetryPatience = absl::Seconds(10);
// How long matches given to another referee wait there for their bots, before the owner takes their
// block back.
inline constexpr absl::Duration kHelpPatience = absl::Seconds(10);
// Addresses of other referees that a bot receives.
inline constexpr size_t kMaxFleetAddresses = 8;
inline constexpr size_t kMaxAddressBytes = 256;  // of a referee, as bots dial it
// Earlier instances of a data directory whose blocks have not been taken over.
inline constexpr int kMaxFormerInstances = 64;
inline constexpr int kMaxEntrants = 10'000;  // of a competition, including withdrawn ones
// New versions that a bot announces by itself. A new version has a wider rating interval, so their
// number is limited. A bot may announce one per kVersionInterval, and kMaxVersionsPerSeason in a
// season of a ladder. Of a season's entrants, kMaxEntrantsByVersions may be versions that have
// started a block.
inline constexpr absl::Duration kVersionInterval = absl::Hours(1);
inline constexpr int kMaxVersionsPerSeason = 100;
inline constexpr int kMaxEntrantsByVersions = kMaxEntrants / 2;

// Replays.
inline constexpr size_t kMaxReplayBytes = 64 * 1024 * 1024;  // per file, decompressed
// Pauses between attempts to archive a match: each is twice as long as the one before.
inline constexpr absl::Duration kFirstSealRetry = absl::Seconds(1);
inline constexpr absl::Duration kLastSealRetry = absl::Minutes(1);
inline constexpr size_t kMaxUnsealed = 1'000;  // further matches are archived at the next start
// The log of running matches has segments of a fixed size. Beyond kMaxLogSegments, and twice the
// size of the running matches' records, records are copied forward to free the oldest segment.
inline constexpr size_t kLogSegmentBytes = 8 * 1024 * 1024;
inline constexpr size_t kMaxLogSegments = 4;
inline constexpr absl::Duration kLogGather =
    absl::Milliseconds(10);  // the longest wait to sync matches that start or end
inline constexpr size_t kReplayChunkBytes = 64 * 1024;  // per chunk of GetReplay

}  // namespace referee::limits

#endif  // REFEREE_BASE_LIMITS_H_
