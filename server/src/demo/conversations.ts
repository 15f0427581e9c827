import type { people } from './people.ts'
import type { requests } from './requests.ts'

type PersonKey = (typeof people)[number]['key']

/** Something that somebody did in a conversation. Whoever does anything has read what came before. */
export type DemoStep = { by: PersonKey; hoursAgo: number } & (
  | { does: 'say'; words: string }
  | { does: 'offer' | 'counter'; amountCents: number; words?: string }
  /** What was offered last. */
  | { does: 'accept' | 'reject' | 'withdraw' }
  | { does: 'read' }
)

/** What passed between the owner of a request and somebody else, the earliest first. */
export type DemoConversation = {
  about: (typeof requests)[number]['key']
  with: PersonKey
  steps: readonly DemoStep[]
}

/**
 * Between them they show every state that an offer can be in, read and unread. The accepted offers wait for
 * their payment.
 */
export const conversations = [
  {
    // Countered: it is the seller's turn.
    about: 'desk-lamp-pair',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 51,
        does: 'say',
        words:
          'Good morning Nadia. I have a bottle green one from a harbour office here. The brass arms are straight, the flex is new, I rewired it in March.',
      },
      {
        by: 'buyer',
        hoursAgo: 50.6,
        does: 'say',
        words: 'That sounds very close. Is the shade cased glass, white on the inside? Mine is.',
      },
      {
        by: 'seller',
        hoursAgo: 49.9,
        does: 'say',
        words:
          'Cased, yes. White inside, no chips.\nThere is one scratch near the rim, about the length of a grain of rice. You see it only when you look for it.',
      },
      {
        by: 'buyer',
        hoursAgo: 49.7,
        does: 'say',
        words: 'A grain of rice I can live with. How much would you want for it, with posting?',
      },
      { by: 'seller', hoursAgo: 49.5, does: 'read' },
      {
        by: 'seller',
        hoursAgo: 30,
        does: 'offer',
        amountCents: 112_00,
        words: 'Tracked post to Kuala Lumpur included, the shade in a box of its own.',
      },
      {
        by: 'buyer',
        hoursAgo: 26,
        does: 'counter',
        amountCents: 98_50,
        words: 'With the scratch, would this do? I would pay today.',
      },
      {
        by: 'buyer',
        hoursAgo: 25.9,
        does: 'say',
        words: 'No hurry with the answer. It has been one lamp for nine years.',
      },
    ],
  },
  {
    // Accepted: it is the buyer's turn to pay.
    about: 'hand-crank-sewing-machine',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 98,
        does: 'say',
        words:
          'A Polish Łucznik, hand crank, came out of a sailmaker’s loft last week. It went through six layers of jeans on my kitchen table.',
      },
      {
        by: 'buyer',
        hoursAgo: 96,
        does: 'say',
        words: 'Six! Does it still have the bobbin case? They are always missing.',
      },
      {
        by: 'seller',
        hoursAgo: 95.5,
        does: 'say',
        words: 'Bobbin case, four bobbins, and the little oil can.',
      },
      { by: 'seller', hoursAgo: 95.4, does: 'offer', amountCents: 190_00 },
      { by: 'buyer', hoursAgo: 94, does: 'reject' },
      {
        by: 'buyer',
        hoursAgo: 93.9,
        does: 'say',
        words: 'It is worth that, but posting eleven kilos will cost you. Could you work it out first?',
      },
      { by: 'seller', hoursAgo: 93.5, does: 'read' },
      {
        by: 'seller',
        hoursAgo: 71,
        does: 'offer',
        amountCents: 164_00,
        words: 'I found a cheaper carrier. Posting and insurance are in this.',
      },
      { by: 'buyer', hoursAgo: 69, does: 'accept' },
      {
        by: 'seller',
        hoursAgo: 68.5,
        does: 'say',
        words: 'Thank you. I will build the crate on Saturday and send it the day the payment is in.',
      },
      { by: 'buyer', hoursAgo: 68, does: 'read' },
    ],
  },
  {
    // Expired: nobody answered in time.
    about: 'hand-crank-sewing-machine',
    with: 'ruth',
    steps: [
      {
        by: 'ruth',
        hoursAgo: 331,
        does: 'say',
        words: 'There is a Singer in the boat shed. It sews, but the handle sticks when it rains.',
      },
      {
        by: 'ruth',
        hoursAgo: 330.8,
        does: 'offer',
        amountCents: 85_00,
        words: 'Collected, or I bring it south in May.',
      },
      {
        by: 'buyer',
        hoursAgo: 322,
        does: 'say',
        words: 'Thank you, Ruth. Let me see first what the posting from Inverness comes to.',
      },
      { by: 'ruth', hoursAgo: 321, does: 'read' },
    ],
  },
  {
    // Pending, with words that the buyer has not read.
    about: 'signed-first-edition',
    with: 'helene',
    steps: [
      {
        by: 'helene',
        hoursAgo: 15,
        does: 'say',
        words:
          'I bind books, so many pass through my hands. I believe this one came to me for a new spine in 2019 and was never collected.',
      },
      { by: 'buyer', hoursAgo: 13, does: 'say', words: 'Does it have her name in it? Salmah, in green ink.' },
      {
        by: 'helene',
        hoursAgo: 5,
        does: 'say',
        words: 'Green ink, page one, and a date: 4 June 1958. I had goose bumps just now.',
      },
      {
        by: 'helene',
        hoursAgo: 4.8,
        does: 'offer',
        amountCents: 240_00,
        words: 'For the binding work. The book I could not in good conscience sell you.',
      },
      {
        by: 'helene',
        hoursAgo: 4.7,
        does: 'say',
        words: 'Tell me whether you would like photographs first.',
      },
    ],
  },
  {
    // A conversation that has only just begun.
    about: 'om1-camera',
    with: 'yuto',
    steps: [
      {
        by: 'yuto',
        hoursAgo: 1.6,
        does: 'say',
        words: 'Black OM-1n, 1979. The meter agrees with my studio meter to a third of a stop.',
      },
      {
        by: 'yuto',
        hoursAgo: 1.5,
        does: 'say',
        words: 'Foam seals replaced last winter. No fungus, I checked with a lamp.',
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
        words: 'Chrome, not black, but with the case and my survey notes from the Pindus.',
      },
      { by: 'buyer', hoursAgo: 2.2, does: 'reject' },
      {
        by: 'buyer',
        hoursAgo: 2.15,
        does: 'say',
        words:
          'It has to be black, for the family pictures of the camera itself. The notes I would have loved.',
      },
      { by: 'maria', hoursAgo: 2, does: 'say', words: 'Of course. They go to my niece then.' },
      { by: 'buyer', hoursAgo: 1.9, does: 'read' },
    ],
  },
  {
    // The seller's own request, with an offer for him to answer.
    about: 'polish-typewriter',
    with: 'liesel',
    steps: [
      {
        by: 'liesel',
        hoursAgo: 3.2,
        does: 'say',
        words:
          'My aunt in Katowice typed her letters on an Erika with ł, ó and ż. It has been in my hall for years.',
      },
      { by: 'seller', hoursAgo: 3, does: 'say', words: 'Does the carriage return ring?' },
      { by: 'liesel', hoursAgo: 2.1, does: 'say', words: 'It rings like a bicycle. The ribbon is dry.' },
      { by: 'liesel', hoursAgo: 2, does: 'offer', amountCents: 95_00 },
    ],
  },
  {
    // The seller waits for an answer.
    about: 'scooter-panel',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 1.2,
        does: 'say',
        words: 'I have the right-hand one, pale blue, clip included, one dent you could cover with a coin.',
      },
      {
        by: 'seller',
        hoursAgo: 1.1,
        does: 'offer',
        amountCents: 120_00,
        words: 'It can leave tomorrow morning.',
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
        words: 'Two from a café in Sopot that closed. The caning is whole on one and tired on the other.',
      },
      { by: 'seller', hoursAgo: 213.5, does: 'offer', amountCents: 150_00 },
      { by: 'helene', hoursAgo: 190, does: 'say', words: 'Could I see the underside of the tired one?' },
      {
        by: 'seller',
        hoursAgo: 188,
        does: 'say',
        words:
          'I looked at it myself now: there is worm in the ring. I do not send that into a house. I am sorry.',
      },
      { by: 'seller', hoursAgo: 187.9, does: 'withdraw' },
      {
        by: 'helene',
        hoursAgo: 180,
        does: 'say',
        words: 'Thank you for looking. I would not have noticed until spring.',
      },
      { by: 'seller', hoursAgo: 179, does: 'read' },
    ],
  },
  {
    // The admin wants something too, and her budget is open.
    about: 'white-knight',
    with: 'joaquin',
    steps: [
      {
        by: 'joaquin',
        hoursAgo: 20,
        does: 'say',
        words:
          'My uncle carved sets for the club in Xàtiva. There is a box of single pieces; one of the knights is yours, I think.',
      },
      {
        by: 'joaquin',
        hoursAgo: 19.9,
        does: 'offer',
        amountCents: 35_00,
        words: 'With a black pawn, so that he has somebody to look at.',
      },
    ],
  },
] as const satisfies readonly DemoConversation[]
