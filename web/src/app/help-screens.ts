/** One file for the help page and the conversations with our team: every file that the router names costs all visitors. */
export { HelpScreen } from '../features/help/help-screen.tsx'
export { TicketScreen } from '../features/help/ticket-screen.tsx'
export { TicketsScreen } from '../features/help/tickets-screen.tsx'
