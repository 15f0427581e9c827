/** The purpose of a movement. `own`: payouts to our bank, top-ups and bills of the provider. */
export const MOVEMENT_KINDS = ['charge', 'refund', 'dispute', 'transfer', 'own', 'other'] as const
export type MovementKind = (typeof MOVEMENT_KINDS)[number]
