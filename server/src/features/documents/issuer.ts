import type { Services } from '../../platform/services.ts'

/** What the issuer of documents is read from. */
export type Issuing = Pick<Services, 'config' | 'market'>

export function issuerOf({ config, market }: Issuing) {
  return { name: market.latest().name, url: config.publicUrl }
}
