/** One file for the help screens, because each file that the router names adds to every visitor's first load. */
export { HelpScreen } from '../features/help/help-screen.tsx'
export { TicketScreen } from '../features/help/ticket-screen.tsx'
export { TicketsScreen } from '../features/help/tickets-screen.tsx'
