// All limits of the referee, in one place. Each bounds something that comes from outside, such as a
// message, a file or a number of calls.
#ifndef REFEREE_BASE_LIMITS_H_
#define REFEREE_BASE_LIMITS_H_

#include <cstddef>
#include <cstdint>

#include "absl/time/time.h"

namespace referee::limits {

// A token bucket: `per_second` sustained, `burst` at once after a pause.
struct Rate {
  int64_t per_second;
  int64_t burst;
};

// Games.
inline constexpr int kMaxSeats = 10;
inline constexpr size_t kMaxOptionBytes = 64 * 1024;  // an option's value, a board file included
inline constexpr size_t kMaxOptions = 64;             // options of one match
inline constexpr size_t kMaxPositionBytes = 16 * 1024;
inline constexpr size_t kMaxMoveBytes = 256;  // a move's notation
// Positions that blocks start from, of a competition or a duel: how many, and the bytes of all of
// them. With that, a request for a competition has room for its options beside them
// (kMaxReceivedBytes).
inline constexpr size_t kMaxPositions = 10'000;
inline constexpr size_t kMaxPositionsBytes = 160 * 1024;

// Names.
inline constexpr size_t kMaxNameBytes = 64;     // of a bot, a game, an option
inline constexpr size_t kMaxVersionBytes = 32;  // of a bot
inline constexpr size_t kMaxTokenBytes = 256;
inline constexpr size_t kMaxRequestIdBytes = 64;
inline constexpr size_t kMaxDescriptionBytes = 1000;  // of a competition
inline constexpr size_t kMaxReasonBytes = 256;        // of a cancellation, of disabling a bot
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
inline constexpr int kDefaultLagMoves = 100;  // lag per match, in lags per move
inline constexpr int kMaxStrikes = 1'000'000;
inline constexpr int kMaxTries = 100;
// How long a turn request may wait for its bot's link to take it, at that bot's cost only if
// longer.
inline constexpr absl::Duration kHandoverLimit = absl::Milliseconds(5);
// How long a match waits to hear that a request was offered to its link; then it takes it as
// offered.
inline constexpr absl::Duration kOfferLimit = absl::Seconds(5);
// The referee's own stalls that are given back, of a move and of all moves of a seat.
inline constexpr absl::Duration kStallPerMove = absl::Seconds(1);  // default
inline constexpr int kDefaultStallMoves = 60;                      // per match, in those per move
inline constexpr absl::Duration kMaxStallPerMove = absl::Hours(1);
inline constexpr absl::Duration kMaxStallPerMatch = absl::Hours(24);

// Streams of bots: one message.
inline constexpr size_t kMaxReceivedBytes = 256 * 1024;  // a message from a bot
inline constexpr int kMaxItemsReceived = 4096;           // items in a message from a bot
inline constexpr int kMaxGamesInHello = 64;
inline constexpr int kMaxMatchesPerBot = 1024;  // at once

// Streams of bots: how much a bot may send, on all its streams together. A bot that only answers
// stays far below: with 1024 matches on one stream it sends some ten thousand messages a second.
inline constexpr Rate kMessages{200'000, 200'000};
inline constexpr Rate kBytes{64 * 1024 * 1024, 64 * 1024 * 1024};
// Items that nobody asked for: resignations, faults, empty messages.
inline constexpr Rate kUnaskedItems{1'024, 8'192};
// Faults that are answered. The burst covers a bot whose matches were all cancelled while it
// thought.
inline constexpr Rate kFaults{16, 64 + kMaxMatchesPerBot};

// Streams of bots: for how long after something that a bot sent was refused its new matches charge
// the referee's stalls to it.
inline constexpr absl::Duration kRefusalMemory = absl::Minutes(10);

// Streams of bots: what waits for a slow reader.
inline constexpr size_t kMaxQueuedItems = 16 * 1024;
// On top of kMaxQueuedBytesPerMatch for each match of the stream, which covers what a bot is told
// at once of a match that it comes back to.
inline constexpr size_t kMaxQueuedBytes = 16 * 1024 * 1024;
inline constexpr size_t kMaxQueuedBytesPerMatch = 2 * kMaxOptionBytes + 2 * kMaxPositionBytes;
// For all streams together, as bytes on the wire; in memory they are some twice as many. Beyond,
// the stream for which most waits is ended.
inline constexpr size_t kMaxQueuedBytesOfAll = 64 * 1024 * 1024;

// Streams of bots: how many.
inline constexpr absl::Duration kHelloLimit = absl::Seconds(10);
inline constexpr int kMaxMessagesBeforeHello = 16;
inline constexpr int kMaxStreams = 10'000;  // in all
// Streams that have not said Hello. A new one beyond these closes the one that has been silent
// longest.
inline constexpr int kMaxSilentStreams = 1'000;
inline constexpr int kMaxStreamsPerBot = 128;      // all but one of them being closed
inline constexpr Rate kHellos{4, 64};              // of one bot
inline constexpr Rate kBadTokens{4, 64};           // from one address
inline constexpr size_t kMaxBadAddresses = 4'096;  // that are remembered
// Tokens that nobody has, from all addresses together: so many are looked up. The bytes of any more
// are waste.
inline constexpr Rate kLookedUpTokens{4'000, 16'000};

// Accounts: how soon a change by another process is noticed.
inline constexpr absl::Duration kTokenRecheck = absl::Seconds(1);
// Their tokens: how long one is taken, if it ends; how long one that its holder has renewed still
// is; how long before its end, and in which part of its time, the holder is told; how exactly it is
// known when one was taken last.
inline constexpr absl::Duration kMinTokenLifetime = absl::Minutes(1);
inline constexpr absl::Duration kMaxTokenLifetime = absl::Hours(24 * 3650);
inline constexpr absl::Duration kFormerTokenTime = absl::Minutes(10);
inline constexpr absl::Duration kTokenNotice = absl::Hours(24 * 14);
inline constexpr int kTokenNoticePart = 4;
inline constexpr absl::Duration kUseInterval = absl::Hours(1);

inline constexpr int kMaxBans = 1'000;
inline constexpr absl::Duration kMaxBanTime = absl::Hours(24 * 3650);
// How long the connections of who is shut out stay open, so that they hear why.
inline constexpr absl::Duration kShutOutGrace = absl::Seconds(1);

// Streams of bots: pings, beside turn requests only.
inline constexpr absl::Duration kPingInterval = absl::Seconds(1);
inline constexpr absl::Duration kPingPatience =
    absl::Seconds(10);  // for an answer, before another is sent

// Connections. Pings find a dead peer. A peer is disconnected if it pings too often, does not
// finish its handshake in time, or has had no call for long.
inline constexpr absl::Duration kKeepaliveTime = absl::Seconds(20);
inline constexpr absl::Duration kKeepaliveTimeout = absl::Seconds(10);
inline constexpr absl::Duration kMinPingInterval = absl::Seconds(5);
inline constexpr int kMaxEarlyPings = 2;
inline constexpr absl::Duration kHandshakeLimit = absl::Seconds(10);
inline constexpr absl::Duration kIdleConnectionLimit = absl::Minutes(5);
inline constexpr int kMaxCallsPerConnection = 256;  // at once; others wait at the client
inline constexpr size_t kMaxMetadataBytes = 4 * 1024;

// Memory for what clients make the referee keep: half of it for connections and the calls on them,
// which gRPC holds to it; a quarter for answers and events that are not read; a quarter for what
// waits for bots, of which kMaxQueuedBytesOfAll is half.
inline constexpr size_t kMemoryLimit = 512 * 1024 * 1024;
inline constexpr size_t kMinMemoryLimit = 32 * 1024 * 1024;
inline constexpr size_t kMaxAnswerBytes = kMemoryLimit / 4;

// Calls. A call costs what it takes the referee, in units; see AccessRule. Whoever has no token
// that is known is charged by address.
inline constexpr Rate kAddressCalls{50, 500};
inline constexpr Rate kAccountCalls{200, 2'000};
inline constexpr Rate kOrganiserCalls{20'000, 200'000};
// Calls of one account that change its entries or its token, each an entry in the audit log.
inline constexpr Rate kAccountChanges{1, 16};
inline constexpr int kMaxCallsPerAddress = 32;  // at once
inline constexpr int kMaxCallsPerAccount = 32;
inline constexpr int kMaxCallsPerOrganiser = 1'024;
inline constexpr int kMaxCalls = 4'096;  // at once, of all callers
// Of the calls, the watchers and the bytes that all callers may have, those without a token may
// have one in so many together: whoever has a token finds room, however many addresses call.
inline constexpr int kShareOfAddresses = 2;
inline constexpr int kMaxWatchesPerAddress = 64;
inline constexpr int kMaxWatchesPerAccount = 64;
inline constexpr size_t kMaxKnownCallers = 16'384;  // that are remembered
// How long an answer may wait to be made and read.
inline constexpr absl::Duration kCallPatience = absl::Seconds(30);
// Connections: how many. Each costs two descriptors.
inline constexpr size_t kMaxConnections = 10'000;   // in all; default, fewer where the limit on
                                                    // descriptors says so
inline constexpr size_t kReservedDescriptors = 64;  // for files, and whatever else is not one
// Of all connections, how many one address may have; default.
inline constexpr size_t kAddressesToFill = 4;
// Connections of one account. Any more of it count as unknown.
inline constexpr size_t kMaxConnectionsPerAccount = 256;
// Connections on which no account has been recognised. A new one beyond these closes another.
inline constexpr size_t kMaxUnknownConnections = 1'000;

// Connections: how often it is looked who is to be cut off, and at how many at once.
inline constexpr absl::Duration kLookInterval = absl::Milliseconds(100);
inline constexpr size_t kConnectionsPerLook = 500;

// Connections: unused bytes, which bring neither a call nor a message of one: they are on their way
// to that, or come to nothing. From one address, on unknown ones; an address that sends more is
// refused for a while.
inline constexpr Rate kWaste{32 * 1024, kMaxReceivedBytes + 64 * 1024};  // a first call of any size
inline constexpr absl::Duration kWasteRefusal = absl::Minutes(1);
inline constexpr Rate kConnectionsWhileRefused{1, 4};  // where accounts are known
// On known ones: at once on one connection, and of one account. A connection that brings more is
// cut off; the new ones of an account that sends more count as unknown for kWasteRefusal.
inline constexpr uint64_t kMaxUnusedOfConnection = 4 * 1024 * 1024;
inline constexpr Rate kUnusedOfAccount{64 * 1024, 16 * 1024 * 1024};
// All connections together may bring one in so many of the bytes that gRPC may hold: what they
// bring never fills its memory. Beyond, whoever has most is cut off.
inline constexpr size_t kTransportToUnused = 4;
inline constexpr uint64_t kBytesBetweenMeasures = 4 * 1024;
// What a call counts as until it is heard, among the bytes of an account and of all: gRPC takes up
// to 30 KB for one that has kMaxMetadataBytes of metadata, in many fields.
inline constexpr uint64_t kBytesOfUnheardCall = 32 * 1024;
// The first one of a connection does not: thousands of bots may come back at once, with one each.
inline constexpr uint64_t kFreeUnheardCalls = 1;
// Where connections without a known token together have more than their part, kShareOfAddresses,
// the one that brings more is cut off if it has more than so many of these calls; else another.
inline constexpr uint64_t kFewUnheardCalls = 8;
// Frames in which the headers of a call may come, with kMaxMetadataBytes in all.
inline constexpr int kMaxHeaderFrames = 4;
// Answers to PING and SETTINGS frames that the peer has not read: gRPC takes some 200 bytes for
// each. The first ones of a connection do not count: clients ping while they measure bandwidth.
inline constexpr uint64_t kBytesOfOwedAnswer = 256;
inline constexpr uint64_t kFreeOwedAnswers = 64;
// An answer has left gRPC once so many bytes more have been acknowledged. It is 17 bytes long, but
// other bytes are sent as well.
inline constexpr uint64_t kAcknowledgedPerAnswer = 64;
// Over Unix sockets nothing is acknowledged: a peer that leaves fewer bytes unread has read its
// answers.
inline constexpr int kMaxUnreadByReader = 32 * 1024;
// What does not count as unused.
inline constexpr size_t kBytesOfConnecting = 4 * 1024;     // preface, settings, TLS
inline constexpr size_t kBytesAroundMessage = 64;          // its frame, that of TLS, pings
inline constexpr uint64_t kBytesPerAcknowledgedByte = 64;  // sent by the referee
inline constexpr uint64_t kBytesOfSecond = 128;            // pings while nothing else comes
inline constexpr size_t kBytesOfCall = 1024;               // with its headers

// Connections of known accounts: calls that one account opens, and the service does not hear of, as
// they are reset at once; or, of streams of bots, that say no Hello. gRPC takes 14 KB for each, and
// up to 30 KB with large headers, until it has dealt with it. A connection of an account that
// opens more is cut off, and its new ones count as unknown for kWasteRefusal. Who resets nothing at
// once stays far below: of a bot's stream one call is heard, whatever it says; and no more than
// kMaxCallsPerConnection can be on their way to the service.
inline constexpr Rate kUnheardCalls{500, 4'000};
// Calls that are open at once, heard or not: of one account; on unknown connections from one
// address, and of all of those. gRPC takes up to 30 KB for each. A connection that brings more is
// cut off; for those of all, one that has more than a few.
inline constexpr uint64_t kMaxOpenCallsOfAccount = 2'048;
inline constexpr uint64_t kMaxOpenCallsOfAddress = 512;
inline constexpr uint64_t kMaxOpenCallsOfUnknown = 4'096;
inline constexpr uint64_t kFewOpenCalls = 64;
// gRPC is asked how many calls there were when so many bytes have come, in which there is room for
// some tens.
inline constexpr uint64_t kBytesBeforeAsking = 1024;

// Connections: before a transport has them. A thread that hands one over may be held up for a
// moment by who says much at once.
inline constexpr int kHandOverThreads = 4;
inline constexpr size_t kMaxProxyHeaderBytes = 4'096;
inline constexpr absl::Duration kProxyHeaderLimit = absl::Seconds(5);
// For how long nothing is accepted when no descriptor is left at all.
inline constexpr absl::Duration kAcceptPause = absl::Milliseconds(100);
// How often a server dials itself, how long it waits for its own answer, and how many unanswered
// attempts in a row make it deaf.
inline constexpr absl::Duration kSelfCheckInterval = absl::Seconds(10);
inline constexpr absl::Duration kSelfCheckPatience = absl::Seconds(10);
inline constexpr int kSelfChecksUnanswered = 4;
inline constexpr absl::Duration kSameLineInterval = absl::Minutes(1);  // in the log

// Matches.
inline constexpr int kMaxOpenMatches = 100'000;      // waiting or running
inline constexpr int kMaxRememberedMatches = 1'000;  // finished, kept for GetMatch and ListMatches
inline constexpr size_t kMaxStalls = 4096;           // of the referee itself, remembered
inline constexpr absl::Duration kSeatLimit = absl::Minutes(10);  // that a match waits to be seated

// Between the referees of a fleet (service/peer/PEERS.md): how long matches wait for a bot whose
// entry is gone, and an entry for an owner that is gone; after which silence a stream is lost; how
// often each side says something; how long slots are kept for an owner that was refused some; and
// after which pauses a stream that was lost is tried again.
inline constexpr absl::Duration kEntryPatience = absl::Seconds(20);
inline constexpr absl::Duration kPeerSilence = absl::Seconds(5);
inline constexpr absl::Duration kPeerBeat = absl::Seconds(1);
inline constexpr absl::Duration kKeptSlots = absl::Milliseconds(250);
inline constexpr absl::Duration kFirstPeerPause = absl::Milliseconds(100);
inline constexpr absl::Duration kLongestPeerPause = absl::Seconds(2);
inline constexpr size_t kMaxStrangePeers = 64;  // streams that have not shown the secret yet
inline constexpr size_t kMaxPeerBytes = size_t{64} << 20;  // that wait for a peer to read them
inline constexpr int kMaxObservers = 1024;                 // watchers of matches and competitions
inline constexpr size_t kMaxQueuedObservations = 4096;     // waiting for a slow observer
inline constexpr size_t kMaxQueuedObservationBytes = 512 * 1024;
// The same where the match's competition has a watch delay, with what is held back until it is
// told.
inline constexpr size_t kMaxHeldObservations = 65'536;
inline constexpr size_t kMaxHeldObservationBytes = 8 * 1024 * 1024;
inline constexpr int kDefaultPageSize = 50;
inline constexpr int kMaxPageSize = 1000;
inline constexpr int kMaxPageSizeWithoutToken = 100;
inline constexpr int kMaxReflections = 32;      // gRPC answers each with a thread
inline constexpr int kMaxWaitingCalls = 1'000;  // of a service, for one of its threads

// Competitions.
inline constexpr int kMaxSwissEntrants = 1'000;
inline constexpr int64_t kMaxBlocks = 1'000'000;  // of a competition that ends
inline constexpr int kMaxBestOf = 99;
inline constexpr int kMaxExtraBlocks = 99;
inline constexpr int kMaxProvisionalWidth = 10'000;  // in Elo
inline constexpr int kMaxGoalWidth = 10'000;         // in Elo
// Blocks that a bot of a ladder begins in a minute.
inline constexpr double kMinPace = 0.001;
inline constexpr double kMaxPace = 60'000;
inline constexpr int kMaxPriority = 1'000;  // and as far below 0
// Blocks that one call for the points of a test reads, and that are read in one go for ratings.
inline constexpr int kMaxTestBlocksRead = 20'000;
// How long a block of a ladder that is not being played waits for an absent bot before it is
// dropped.
inline constexpr absl::Duration kLadderPatience = absl::Seconds(10);
inline constexpr absl::Duration kMinAbsenceLimit = absl::Seconds(1);
inline constexpr absl::Duration kMaxAbsenceLimit = absl::Hours(24 * 30);
inline constexpr absl::Duration kMaxWatchDelay = absl::Hours(24);
inline constexpr absl::Duration kWatchInterval =
    absl::Seconds(1);                          // between two updates of a watcher
inline constexpr int kSilencesToSetAside = 3;  // matches in a row without an answer, by default
inline constexpr int kMaxSilenceLimit = 1000;  // that a competition may have in place of it
// Results are counted in order, so this bounds how far fast bots may play ahead of a slow block:
// blocks begun from the first uncounted one on, for each that may be played at once; and the least.
inline constexpr int kUncountedPerPlayed = 8;
inline constexpr int kMinUncountedBlocks = 1'024;
// Attempts at a block, each of which came to nothing, before it is given up. One more than sets
// bots aside, so that those who are set aside for them are seen to be gone first.
inline constexpr int kMaxBlockAttempts = 4;
// A bot that was late so often in its last attempts, which were void for that, is set aside.
inline constexpr int kLatesToSetAside = 3;
inline constexpr int kLatesLookBack = 10;
inline constexpr int kMaxBlocksPerStep = 256;     // begun at once
inline constexpr int kMaxCountedPerStep = 4'096;  // counted at once
inline constexpr int kMaxFittedBots = 2'000;      // the time that a fit takes grows with their cube
inline constexpr int kMaxCompetitionWatches = 1024;
// How long a block belongs to its daemon after the daemon last renewed the lease: the default, and
// what may be asked for; and how long before that the daemon stops relying on it.
inline constexpr absl::Duration kBlockLease = absl::Seconds(15);
inline constexpr absl::Duration kMinBlockLease = absl::Seconds(3);
inline constexpr absl::Duration kMaxBlockLease = absl::Minutes(5);
inline constexpr absl::Duration kLeaseMargin = absl::Seconds(1);
// How long a daemon waits for each of those that come before it to take a competition as its home.
inline constexpr absl::Duration kHomePatience = absl::Seconds(10);
// For how long a block that is to be played again has the slots of its bots kept for it while some
// of these are not there: after their referee ended they come one by one.
inline constexpr absl::Duration kRetryPatience = absl::Seconds(10);
// How long matches wait at a helper for their bots, before their block goes back to the home.
inline constexpr absl::Duration kHelpPatience = absl::Seconds(10);
// The other referees that a bot is told of.
inline constexpr size_t kMaxFleetAddresses = 8;
inline constexpr size_t kMaxAddressBytes = 256;  // of a daemon, as bots dial it
// Daemons that had a data directory one after another, and whose blocks nobody has taken over yet.
inline constexpr int kMaxFormerInstances = 64;
inline constexpr int kMaxEntrants = 10'000;  // of a competition, with those who left
// Versions that bots tell by themselves. A bot gets a wider rating with each, so it cannot have
// them at will: one in so long, and so many in a season of a ladder; and of a season's entrants so
// many may be versions that have begun a block.
inline constexpr absl::Duration kVersionInterval = absl::Hours(1);
inline constexpr int kMaxVersionsPerSeason = 100;
inline constexpr int kMaxEntrantsByVersions = kMaxEntrants / 2;

// Replays.
inline constexpr size_t kMaxReplayBytes = 64 * 1024 * 1024;  // a file, decompressed
// A match that could not be archived is tried again, after twice as long each time.
inline constexpr absl::Duration kFirstSealRetry = absl::Seconds(1);
inline constexpr absl::Duration kLastSealRetry = absl::Minutes(1);
inline constexpr size_t kMaxUnsealed = 1'000;  // beyond these they are left to the next start
// The log of running matches: segments of a fixed size. When there are more than so many, and than
// twice what running matches hold, records are copied on, so that the oldest can be used again.
inline constexpr size_t kLogSegmentBytes = 8 * 1024 * 1024;
inline constexpr size_t kMaxLogSegments = 4;
inline constexpr absl::Duration kLogGather =
    absl::Milliseconds(10);                             // at most, of matches that begin or end
inline constexpr size_t kReplayChunkBytes = 64 * 1024;  // a chunk of GetReplay

}  // namespace referee::limits

#endif  // REFEREE_BASE_LIMITS_H_
