/** One file for all screens of a deal, because each file that the router names adds to every visitor's first load. */
export { DealScreen } from '../features/deal/deal-screen.tsx'
export { DeliveryScreen } from '../features/deal/delivery-screen.tsx'
export { ReviewScreen } from '../features/reviews/review-screen.tsx'
