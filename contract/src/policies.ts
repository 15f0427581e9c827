/** The policies whose texts an operator can replace. */
export const POLICIES = ['terms_of_service', 'privacy_policy', 'refund_policy', 'dispute_resolution'] as const
export type Policy = (typeof POLICIES)[number]
