/** The sign-ins of the demo marketplace, printed at start and offered on the sign-in screen. */
export const demoSignIns = [
  { role: 'Buyer', email: 'buyer@demo.sought.example', password: 'demo-buyer' },
  { role: 'Seller', email: 'seller@demo.sought.example', password: 'demo-seller' },
  { role: 'Admin', email: 'admin@demo.sought.example', password: 'demo-admin' },
  { role: 'Moderator', email: 'moderator@demo.sought.example', password: 'demo-moderator' },
] as const
