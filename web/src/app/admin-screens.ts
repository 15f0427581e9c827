/** One file for all admin screens: only admins load it, and every file that the router names costs all visitors. */
export { AdminAuditLogScreen } from '../features/desk/admin-audit-log-screen.tsx'
export { AdminDisputesScreen } from '../features/desk/admin-disputes-screen.tsx'
export { AdminReconciliationScreen } from '../features/desk/admin-reconciliation-screen.tsx'
export { AdminTicketScreen } from '../features/desk/admin-ticket-screen.tsx'
export { AdminTicketsScreen } from '../features/desk/admin-tickets-screen.tsx'
export { AdminModerationScreen } from '../features/moderation/admin-moderation-screen.tsx'
export { AdminPayoutsScreen } from '../features/payouts/admin-payouts-screen.tsx'
export { AdminRefundsScreen } from '../features/refunds/admin-refunds-screen.tsx'
