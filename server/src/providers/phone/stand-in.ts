import type { Clock } from '../../core/clock.ts'
import type { Db } from '../../database/database.ts'
import { standInTexts } from '../../database/schema.ts'
import type { PhoneProvider } from './phone-provider.ts'

/** Stores text messages instead of sending them. Developers read them next to the emails. */
export function createPhoneStandIn(db: Db, clock: Clock): PhoneProvider {
  return {
    async send(phone, text) {
      await db.insert(standInTexts).values({ phone, text, createdAt: clock() })
    },
  }
}
