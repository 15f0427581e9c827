/** One file for the screens of a deal, which share code: every file named in the router costs all visitors. */
export { DealScreen } from '../features/deal/deal-screen.tsx'
export { DeliveryScreen } from '../features/deal/delivery-screen.tsx'
export { ReviewScreen } from '../features/reviews/review-screen.tsx'
