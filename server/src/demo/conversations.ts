import type { BodyOf } from '@sought/contract/call'
import type { Carrier } from '@sought/contract/carriers'
import type { resolveDispute } from '@sought/contract/disputes'
import type { ReviewTag } from '@sought/contract/reviews'
import type { DeliveryMethod } from '@sought/escrow/delivery'
import type { people } from './people.ts'
import type { requests } from './requests.ts'

type PersonKey = (typeof people)[number]['key']

/** With 'unapproved', the bank asks the buyer to approve the payment, which has not happened yet. */
export type DemoCard = 'visa' | 'mastercard' | 'unapproved'

/** The delivery address, without the name, which is the buyer's. */
interface DemoAddress {
  line1: string
  city: string
  region?: string
  postalCode: string
  country: string
}

/** File names in pictures/. */
interface WithPhotos {
  photos?: readonly string[]
}

/** One step of a conversation. Talk steps also mark earlier messages as read. */
export type DemoStep = { by: PersonKey; hoursAgo: number } & (
  | ({ does: 'say'; words: string } & WithPhotos)
  | ({ does: 'offer'; amountCents: number; words?: string; delivery?: DeliveryMethod } & WithPhotos)
  | ({ does: 'counter'; amountCents: number; words?: string } & WithPhotos)
  /** Answers the latest offer. */
  | { does: 'accept' | 'reject' | 'withdraw' }
  | { does: 'read' }
  /** Pays the latest offer by card. Later steps are about this payment. */
  | { does: 'pay'; card?: DemoCard; address?: DemoAddress }
  | { does: 'ship'; carrier: Carrier; trackingNumber: string; words?: string }
  /** The seller reports the delivery, as shown on the carrier's page. */
  | { does: 'deliver' }
  | { does: 'cancel'; words: string }
  | { does: 'confirm' }
  | { does: 'review'; stars: 1 | 2 | 3 | 4 | 5; tags?: ReviewTag[]; words?: string }
  | { does: 'dispute'; words: string }
  /** The buyer's bank asks for the money back. */
  | { does: 'charge-back' }
  | { does: 'state'; words: string }
  /** Adds a photo as evidence. `picture` names a file in pictures/evidence. */
  | { does: 'show'; picture: string; fileName: string; words: string }
  | { does: 'propose'; refundCents: number }
  | { does: 'rule'; action: BodyOf<typeof resolveDispute>['action']; words: string; refundCents?: number }
  /** An admin takes over the dispute. */
  | { does: 'take-over' }
  /** A note for other admins only. */
  | { does: 'note'; words: string }
  | { does: 'appeal'; words: string }
  /** An admin gives the buyer money of the platform. */
  | { does: 'give-goodwill'; amountCents: number; words: string }
  /** The two steps of an admin who pays the payout manually. */
  | { does: 'look-up-account' }
  | { does: 'mark-paid'; reference: string }
)

/** The steps between the owner of a request and another person, earliest first. */
export type DemoConversation = {
  about: (typeof requests)[number]['key']
  with: PersonKey
  steps: readonly DemoStep[]
}

/**
 * Conversations without a payment. Together they show every state of an offer, read and unread. The accepted offer
 * waits for its payment.
 */
export const conversations = [
  {
    // Countered: the seller has to answer.
    about: 'desk-lamp-pair',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 51,
        does: 'say',
        words:
          'Hello Nadia. I have a bottle green one from a harbour office. The brass arms are straight, and I put in a new cable in March.',
        photos: ['photos/harbour-lamp.svg'],
      },
      {
        by: 'buyer',
        hoursAgo: 50.6,
        does: 'say',
        words: 'That sounds like a good match. Is the shade glass, and white on the inside? Mine is.',
      },
      {
        by: 'seller',
        hoursAgo: 49.9,
        does: 'say',
        words:
          'Yes, glass and white inside, no chips.\nThere is one small scratch near the rim, about 5 mm long.',
        photos: ['photos/lamp-shade-inside.svg', 'photos/lamp-scratch.svg'],
      },
      {
        by: 'buyer',
        hoursAgo: 49.7,
        does: 'say',
        words: 'A small scratch is fine. How much would you like for it, including shipping?',
      },
      { by: 'seller', hoursAgo: 49.5, does: 'read' },
      {
        by: 'seller',
        hoursAgo: 30,
        does: 'offer',
        amountCents: 112_00,
        words: 'Tracked shipping to Kuala Lumpur is included. I pack the shade in its own box.',
      },
      {
        by: 'buyer',
        hoursAgo: 26,
        does: 'counter',
        amountCents: 98_50,
        words: 'Because of the scratch, would you accept this? I can pay today.',
      },
      {
        by: 'buyer',
        hoursAgo: 25.9,
        does: 'say',
        words: 'Take your time. I have waited nine years for the second lamp.',
      },
    ],
  },
  {
    // Accepted: the buyer has to pay.
    about: 'hand-crank-sewing-machine',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 98,
        does: 'say',
        words:
          'I have a Polish Łucznik with a hand crank, from a sailmaker’s workshop. I tested it on six layers of denim.',
      },
      {
        by: 'buyer',
        hoursAgo: 96,
        does: 'say',
        words: 'Six layers, great! Does it still have the bobbin case? It is often missing.',
      },
      {
        by: 'seller',
        hoursAgo: 95.5,
        does: 'say',
        words: 'Yes: the bobbin case, four bobbins and a small oil can.',
      },
      {
        by: 'seller',
        hoursAgo: 95.4,
        does: 'offer',
        amountCents: 190_00,
        photos: ['photos/bobbins.svg'],
      },
      { by: 'buyer', hoursAgo: 94, does: 'reject' },
      {
        by: 'buyer',
        hoursAgo: 93.9,
        does: 'say',
        words: 'The price is fair, but it weighs eleven kilos. Could you check the shipping cost first?',
      },
      { by: 'seller', hoursAgo: 93.5, does: 'read' },
      {
        by: 'seller',
        hoursAgo: 71,
        does: 'offer',
        amountCents: 164_00,
        words: 'I found a cheaper carrier. Shipping and insurance are included.',
      },
      { by: 'buyer', hoursAgo: 69, does: 'accept' },
      {
        by: 'seller',
        hoursAgo: 68.5,
        does: 'say',
        words: 'Thank you. I will build a crate this week and ship it on the day the payment arrives.',
      },
      { by: 'buyer', hoursAgo: 68, does: 'read' },
    ],
  },
  {
    // Expired: the buyer did not answer in time.
    about: 'hand-crank-sewing-machine',
    with: 'ruth',
    steps: [
      {
        by: 'ruth',
        hoursAgo: 331,
        does: 'say',
        words: 'I have a Singer in the boat shed. It sews well, but the handle is a little stiff.',
      },
      {
        by: 'ruth',
        hoursAgo: 330.8,
        does: 'offer',
        amountCents: 85_00,
        words: 'This is without shipping. I can also bring it to London in May.',
      },
      {
        by: 'buyer',
        hoursAgo: 322,
        does: 'say',
        words: 'Thank you, Ruth. I will check first what shipping from Inverness costs.',
      },
      { by: 'ruth', hoursAgo: 321, does: 'read' },
    ],
  },
  {
    // Pending, with messages that the buyer has not read.
    about: 'signed-first-edition',
    with: 'helene',
    steps: [
      {
        by: 'helene',
        hoursAgo: 15,
        does: 'say',
        words:
          'I am a bookbinder. A customer left this book with me for a new spine in 2019 and never collected it.',
      },
      {
        by: 'buyer',
        hoursAgo: 13,
        does: 'say',
        words: 'Is it signed, and is there a dedication? Mine was for Aminah.',
      },
      {
        by: 'helene',
        hoursAgo: 5,
        does: 'say',
        words:
          'Yes: signed in blue ink on the title page, “for Aminah”, dated 4 June 1958. I think this is yours.',
      },
      {
        by: 'helene',
        hoursAgo: 4.8,
        does: 'offer',
        amountCents: 240_00,
        words: 'This is only for my binding work. The book itself belongs to you.',
      },
      {
        by: 'helene',
        hoursAgo: 4.7,
        does: 'say',
        words: 'Would you like to see photos first?',
      },
    ],
  },
  {
    // Just started.
    about: 'om1-camera',
    with: 'yuto',
    steps: [
      {
        by: 'yuto',
        hoursAgo: 1.6,
        does: 'say',
        words: 'I have a black OM-1n from 1979. The light meter is accurate to a third of a stop.',
      },
      {
        by: 'yuto',
        hoursAgo: 1.5,
        does: 'say',
        words: 'The foam seals were replaced last winter. There is no fungus.',
      },
    ],
  },
  {
    // Rejected.
    about: 'om1-camera',
    with: 'maria',
    steps: [
      {
        by: 'maria',
        hoursAgo: 2.4,
        does: 'offer',
        amountCents: 205_00,
        words: 'It is chrome, not black, but the leather case is included.',
      },
      { by: 'buyer', hoursAgo: 2.2, does: 'reject' },
      {
        by: 'buyer',
        hoursAgo: 2.15,
        does: 'say',
        words: 'Thank you, but it has to be black, like my grandmother’s.',
      },
      { by: 'maria', hoursAgo: 2, does: 'say', words: 'I understand. Good luck with your search.' },
      { by: 'buyer', hoursAgo: 1.9, does: 'read' },
    ],
  },
  {
    // The seller's own request, with an offer that he has to answer.
    about: 'polish-typewriter',
    with: 'liesel',
    steps: [
      {
        by: 'liesel',
        hoursAgo: 3.2,
        does: 'say',
        words:
          'I have an Erika from my aunt in Katowice. It has all the Polish letters, including ł, ó and ż.',
      },
      { by: 'seller', hoursAgo: 3, does: 'say', words: 'Does the bell at the end of the line work?' },
      { by: 'liesel', hoursAgo: 2.1, does: 'say', words: 'Yes, it does. It needs a new ribbon.' },
      { by: 'liesel', hoursAgo: 2, does: 'offer', amountCents: 95_00 },
    ],
  },
  {
    // The seller is waiting for an answer.
    about: 'scooter-panel',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 1.2,
        does: 'say',
        words: 'I have the right-hand panel in pale blue, with the clip. It has one small dent, about 2 cm.',
      },
      {
        by: 'seller',
        hoursAgo: 1.1,
        does: 'offer',
        amountCents: 120_00,
        words: 'I can ship it tomorrow morning.',
      },
    ],
  },
  {
    // Withdrawn.
    about: 'bentwood-chairs',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 214,
        does: 'say',
        words:
          'I have two chairs from a café in Sopot that closed. One seat is in good condition, the other is worn.',
      },
      { by: 'seller', hoursAgo: 213.5, does: 'offer', amountCents: 150_00 },
      {
        by: 'helene',
        hoursAgo: 190,
        does: 'say',
        words: 'Could you send me a photo of the worn one from below?',
      },
      {
        by: 'seller',
        hoursAgo: 188,
        does: 'say',
        words: 'I have just checked it and found woodworm. I am sorry, I cannot sell it like that.',
      },
      { by: 'seller', hoursAgo: 187.9, does: 'withdraw' },
      {
        by: 'helene',
        hoursAgo: 180,
        does: 'say',
        words: 'Thank you for telling me.',
      },
      { by: 'seller', hoursAgo: 179, does: 'read' },
    ],
  },
  {
    // The admin's own request, with an open budget.
    about: 'white-knight',
    with: 'joaquin',
    steps: [
      {
        by: 'joaquin',
        hoursAgo: 20,
        does: 'say',
        words:
          'My uncle carved chess sets for a club. I have a box of single pieces, and one of the knights matches yours.',
      },
      {
        by: 'joaquin',
        hoursAgo: 19.9,
        does: 'offer',
        amountCents: 35_00,
        words: 'I will add a spare pawn.',
      },
    ],
  },
  {
    // An attempt to avoid escrow, which Ruth reports.
    about: 'long-board',
    with: 'dale',
    steps: [
      {
        by: 'dale',
        hoursAgo: 72,
        does: 'say',
        words: 'I will be in Inverness on Friday. Bring cash and we do not need the site.',
      },
      {
        by: 'ruth',
        hoursAgo: 71,
        does: 'say',
        words: 'I would rather pay here. Do you have photos of the board?',
      },
      {
        by: 'dale',
        hoursAgo: 6,
        does: 'say',
        words:
          'Then send it by bank transfer, IBAN DE89 3704 0044 0532 0130 00, or write to me on WhatsApp: +1 218 555 0134.',
      },
      { by: 'ruth', hoursAgo: 5.5, does: 'read' },
    ],
  },
] as const satisfies readonly DemoConversation[]
