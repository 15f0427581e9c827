import type { Services } from '../../../services.ts'

/** The services that the issuer's name and URL come from. */
export type Issuing = Pick<Services, 'config' | 'market'>

export function issuerOf({ config, market }: Issuing) {
  return { name: market.latest().name, url: config.publicUrl }
}
