import { type ComponentType, lazy } from 'react'
import { AdminAppealsScreen } from '../features/desk/appeals/admin-appeals-screen.tsx'
import { AdminAuditLogScreen } from '../features/desk/audit-log/admin-audit-log-screen.tsx'
import { AdminDebtsScreen } from '../features/desk/debts/admin-debts-screen.tsx'
import { AdminDisputesScreen } from '../features/desk/disputes/admin-disputes-screen.tsx'
import { AdminDoctorScreen } from '../features/desk/doctor/admin-doctor-screen.tsx'
import { AdminExportsScreen } from '../features/desk/exports/admin-exports-screen.tsx'
import { AdminGoodwillScreen } from '../features/desk/goodwill/admin-goodwill-screen.tsx'
import { DeskLayout } from '../features/desk/layout/desk-layout.tsx'
import type { DeskRoute } from '../features/desk/layout/desk-pages.ts'
import { AdminDealScreen } from '../features/desk/lookup/admin-deal-screen.tsx'
import { AdminLookupScreen } from '../features/desk/lookup/admin-lookup-screen.tsx'
import { AdminPersonScreen } from '../features/desk/lookup/admin-person-screen.tsx'
import { AdminSettingsScreen } from '../features/desk/market/admin-settings-screen.tsx'
import { AdminModerationScreen } from '../features/desk/moderation/admin-moderation-screen.tsx'
import { AdminOverviewScreen } from '../features/desk/overview/admin-overview-screen.tsx'
import { AdminPayoutsScreen } from '../features/desk/payouts/admin-payouts-screen.tsx'
import { AdminReconciliationScreen } from '../features/desk/reconciliation/admin-reconciliation-screen.tsx'
import { AdminRefundsScreen } from '../features/desk/refunds/admin-refunds-screen.tsx'
import { AdminRepliesScreen } from '../features/desk/replies/admin-replies-screen.tsx'
import { AdminTicketScreen } from '../features/desk/tickets/admin-ticket-screen.tsx'
import { AdminTicketsScreen } from '../features/desk/tickets/admin-tickets-screen.tsx'

/* One file for all pages of the desk, because each file that the router names adds to every visitor's first load. */

const AdminAnalyticsScreen = lazy(async () => ({
  default: (await import('../features/desk/analytics/admin-analytics-screen.tsx')).AdminAnalyticsScreen,
}))

const screens: Record<DeskRoute, ComponentType> = {
  admin: AdminOverviewScreen,
  adminAnalytics: AdminAnalyticsScreen,
  adminDisputes: AdminDisputesScreen,
  adminAppeals: AdminAppealsScreen,
  adminReplies: AdminRepliesScreen,
  adminModeration: AdminModerationScreen,
  adminPayouts: AdminPayoutsScreen,
  adminRefunds: AdminRefundsScreen,
  adminDebts: AdminDebtsScreen,
  adminReconciliation: AdminReconciliationScreen,
  adminTickets: AdminTicketsScreen,
  adminTicket: AdminTicketScreen,
  adminAuditLog: AdminAuditLogScreen,
  adminLookup: AdminLookupScreen,
  adminPerson: AdminPersonScreen,
  adminDeal: AdminDealScreen,
  adminGoodwill: AdminGoodwillScreen,
  adminExports: AdminExportsScreen,
  adminSettings: AdminSettingsScreen,
  adminDoctor: AdminDoctorScreen,
}

/** The layout route of the desk. */
export function DeskScreen({ name }: { name: DeskRoute }) {
  const Screen = screens[name]
  return (
    <DeskLayout name={name}>
      <Screen />
    </DeskLayout>
  )
}
