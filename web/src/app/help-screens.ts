/** One file for the help page and support tickets: every file named in the router costs all visitors. */
export { HelpScreen } from '../features/help/help-screen.tsx'
export { TicketScreen } from '../features/help/ticket-screen.tsx'
export { TicketsScreen } from '../features/help/tickets-screen.tsx'
