/*
 * The pages that data passes through. Only this process takes and frees them,
 * so who has which is nobody else's business and is kept in ordinary memory.
 * First fit from the lowest page: what was used last is warm, and what is never
 * needed is never taken from the system. The daemon adds pages when asked; it
 * is asked when half of them are in use, so that nobody waits for it as a rule.
 */
#include "channel.h"

static bool is_taken(const struct arena *arena, uint32_t page)
{
	return arena->taken[page / 64] >> (page % 64) & 1;
}

static void mark(struct arena *arena, uint32_t page, uint32_t pages, bool taken)
{
	for (; pages > 0 && page % 64; pages--, page++)
		arena->taken[page / 64] ^= 1ull << (page % 64);
	for (; pages >= 64; pages -= 64, page += 64)
		arena->taken[page / 64] = taken ? ~0ull : 0;
	for (; pages > 0; pages--, page++)
		arena->taken[page / 64] ^= 1ull << (page % 64);
}

/* The first of so many free pages in a row, or -1. */
static int64_t find(const struct arena *arena, uint32_t pages)
{
	uint32_t page = arena->from * 64, run = 0;

	while (page < arena->pages) {
		if (page % 64 == 0 && arena->taken[page / 64] == ~0ull) {
			run = 0;
			page += 64;
			continue;
		}
		if (page % 64 == 0 && arena->taken[page / 64] == 0 &&
		    page + 64 <= arena->pages && run + 64 < pages) {
			run += 64;
			page += 64;
			continue;
		}
		run = is_taken(arena, page) ? 0 : run + 1;
		page++;
		if (run == pages)
			return page - pages;
	}
	return -1;
}

/* Sees what the daemon has added, and asks for more. */
static void look_for_more(struct channel *channel)
{
	struct arena *arena = &channel->arena;
	uint64_t bytes = atomic_load(&channel->file->arena_bytes);
	uint64_t room = channel->file_bytes - CHANNEL_ARENA_OFFSET;

	if (bytes > room)
		bytes = room;
	if (bytes / ARENA_PAGE_BYTES > arena->pages) {
		arena->pages = (uint32_t)(bytes / ARENA_PAGE_BYTES);
		channel->asked_to_grow = false;
	}
	if (!channel->asked_to_grow &&
	    bytes < atomic_load(&channel->file->arena_limit)) {
		channel->asked_to_grow = true;
		channel_say(channel->connection, ATTACH_GROW);
	}
}

int64_t arena_take(struct channel *channel, uint32_t bytes)
{
	struct arena *arena = &channel->arena;
	uint32_t pages = (bytes + ARENA_PAGE_BYTES - 1) / ARENA_PAGE_BYTES;
	int64_t page;

	if ((arena->used + pages) * 2 > arena->pages)
		look_for_more(channel);
	page = find(arena, pages);
	if (page < 0)
		return -EAGAIN;
	mark(arena, (uint32_t)page, pages, true);
	arena->used += pages;
	while (arena->from < ARENA_WORDS && arena->taken[arena->from] == ~0ull)
		arena->from++;
	return page;
}

void arena_free(struct channel *channel, uint32_t page, uint32_t bytes)
{
	struct arena *arena = &channel->arena;
	uint32_t pages = (bytes + ARENA_PAGE_BYTES - 1) / ARENA_PAGE_BYTES;

	mark(arena, page, pages, false);
	arena->used -= pages;
	if (page / 64 < arena->from)
		arena->from = page / 64;
}
