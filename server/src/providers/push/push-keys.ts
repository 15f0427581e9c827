import { createEncryption } from '../../core/encryption.ts'
import type { Keys } from '../../core/keys.ts'
import type { Db } from '../../database/database.ts'
import { pushKeys } from '../../database/schema.ts'

export interface PushKeys {
  publicKey: string
  privateKey: string
}

interface Options {
  db: Db
  dataKeys: Keys
  generate(): PushKeys
}

/** The owner that the private key is encrypted for. */
export const PUSH_KEYS_OWNER = 'push-keys'

/** Returns a function that reads this database's keys once. The first process that needs them generates them. */
export function createPushKeysReader({ db, dataKeys, generate }: Options): () => Promise<PushKeys> {
  const encryption = createEncryption(dataKeys)
  const find = async () => {
    const [found] = await db.select().from(pushKeys)
    if (!found) return undefined
    const { publicKey, privateKey } = found
    return { publicKey, privateKey: await encryption.open(privateKey, PUSH_KEYS_OWNER) }
  }
  const add = async () => {
    const { publicKey, privateKey } = generate()
    const sealed = await encryption.seal(privateKey, PUSH_KEYS_OWNER)
    await db.insert(pushKeys).values({ publicKey, privateKey: sealed }).onConflictDoNothing()
  }
  let known: PushKeys | undefined
  return async () => {
    known ??= await find()
    if (known) return known
    await add()
    known = await find()
    if (!known) throw new Error('the database has no push keys')
    return known
  }
}
