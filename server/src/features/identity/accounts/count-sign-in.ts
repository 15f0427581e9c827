import type { FastifyRequest } from 'fastify'
import { addressKey } from '../../../http/limits.ts'
import type { Services } from '../../../services.ts'
import { isKnownDeviceOfEmail } from '../../users/known-devices.ts'

/**
 * Counts an attempt to sign in. A browser that has signed in to this account before has its own count, so that
 * strangers who guess passwords do not lock the owner out (ADR 45).
 */
export async function countSignIn(
  { database, limits, sessions }: Pick<Services, 'database' | 'limits' | 'sessions'>,
  request: FastifyRequest,
  email: string,
): Promise<{ succeeded(): Promise<void> }> {
  const device = sessions.deviceOf(request)
  if (device && (await isKnownDeviceOfEmail(database.read, email, device.hash))) {
    const key = `${device.hash}:${email}`
    await limits.signInByDevice.count(key)
    return { succeeded: () => limits.signInByDevice.reset(key) }
  }
  const address = addressKey(request.ip)
  await limits.signInByAddress.count(address)
  await limits.signInByAccount.count(email)
  return {
    async succeeded() {
      await limits.signInByAddress.giveBack(address)
      await limits.signInByAccount.reset(email)
    },
  }
}
