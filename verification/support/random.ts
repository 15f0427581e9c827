/** Reproducible randomness: the same seed gives the same choices. */
export interface Random {
  /** A whole number from 0 up to, but not including, the limit. */
  below(limit: number): number
  /** True in this share of cases. */
  chance(share: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** Picks by weight: an item with twice the weight is picked twice as often. */
  weighted<Item>(items: readonly (readonly [Item, number])[]): Item
  /** An independent generator, so that the draws of one part do not change those of another. */
  split(): Random
}

/** Mulberry32: 32 bits of state, good enough for tests. */
export function seeded(seed: number): Random {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)

  return {
    below,
    chance: (share) => next() < share,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('there is nothing to pick from')
      return item
    },
    weighted(items) {
      const total = items.reduce((sum, [, weight]) => sum + weight, 0)
      let left = next() * total
      for (const [item, weight] of items) {
        left -= weight
        if (left < 0) return item
      }
      throw new Error('there is nothing to pick from')
    },
    split: () => seeded(below(2 ** 32)),
  }
}

export const randomSeed = () => Math.floor(Math.random() * 2 ** 31)
