import type { PublicUser } from '@sought/contract/accounts'

export interface Parties {
  buyer: PublicUser
  seller: PublicUser
}

/** Who brought a piece of evidence: one of the two, or an admin, who is not named to them. */
export function submitterWords({ buyer, seller }: Parties, submittedBy: string): string {
  if (submittedBy === buyer.id) return `${buyer.name}, buyer`
  if (submittedBy === seller.id) return `${seller.name}, seller`
  return 'Sought'
}
