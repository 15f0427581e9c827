import type { CopiedGiven } from '../market-builder/copied-given.ts'
import type { Terms } from '../market-builder/given.ts'
import type { Person, World } from './world.ts'

export interface Traders {
  ada: Person
  bob: Person
}

/** Adds another Ada and Bob. Ada is the buyer and Bob the seller of what is given, unless the test names others. */
export async function addTraders<Opened extends World>(world: Opened): Promise<Opened & Traders> {
  const [ada, bob] = [await world.signUp('Ada'), await world.signUp('Bob')]
  const given = Object.entries(world.given).map(([name, make]) => [
    name,
    (terms: Terms<Person> = {}) => make({ buyer: ada, seller: bob, ...terms } as never),
  ])
  return { ...world, ada, bob, given: Object.fromEntries(given) as CopiedGiven<Person> }
}
