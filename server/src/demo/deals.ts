import type { DemoConversation } from './conversations.ts'

/** Conversations that led to a payment. Together they show every state of a payment, a payout and a dispute. */
export const deals = [
  {
    // Completed and reviewed by both; the payout was made by hand.
    about: 'film-scanner',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 884,
        does: 'say',
        words: 'Hi Nadia, I have a film scanner with a USB cable. I tested it with Windows 11 yesterday.',
      },
      { by: 'buyer', hoursAgo: 883, does: 'say', words: 'Does it come with the holder for mounted slides?' },
      {
        by: 'seller',
        hoursAgo: 882,
        does: 'offer',
        amountCents: 145_00,
        words: 'Yes, with both film holders. Shipping is included.',
      },
      { by: 'buyer', hoursAgo: 880, does: 'accept' },
      { by: 'buyer', hoursAgo: 879.5, does: 'pay' },
      {
        by: 'seller',
        hoursAgo: 870,
        does: 'say',
        words: 'Shipped today. The tracking number is PL 4471 2093.',
      },
      { by: 'buyer', hoursAgo: 790, does: 'say', words: 'It arrived and works perfectly. Thank you!' },
      { by: 'buyer', hoursAgo: 789.9, does: 'confirm' },
      {
        by: 'buyer',
        hoursAgo: 789.8,
        does: 'review',
        stars: 5,
        tags: ['as_described', 'well_packed'],
        words: 'Works exactly as described and was packed very well.',
      },
      { by: 'seller', hoursAgo: 789, does: 'read' },
      {
        by: 'seller',
        hoursAgo: 788.9,
        does: 'review',
        stars: 5,
        tags: ['friendly', 'paid_promptly'],
        words: 'Paid within the hour and asked good questions.',
      },
      { by: 'admin', hoursAgo: 770, does: 'look-up-account' },
      { by: 'admin', hoursAgo: 769.8, does: 'mark-paid', reference: 'SEPA 1014-0031' },
    ],
  },
  {
    // Resolved - Partial: the buyer kept the item and got part of the price back.
    about: 'tea-set',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 690,
        does: 'say',
        words: 'I have a complete set for six: teapot, sugar bowl, milk jug, cups and saucers.',
      },
      { by: 'buyer', hoursAgo: 689, does: 'say', words: 'Lovely. Are all pieces free of chips and cracks?' },
      {
        by: 'seller',
        hoursAgo: 688,
        does: 'offer',
        amountCents: 120_00,
        words: 'Yes, I checked every piece. Insured shipping is included.',
      },
      { by: 'buyer', hoursAgo: 686, does: 'accept' },
      { by: 'buyer', hoursAgo: 685, does: 'pay', card: 'mastercard' },
      { by: 'seller', hoursAgo: 672, does: 'say', words: 'It is on its way to you.' },
      {
        by: 'buyer',
        hoursAgo: 600,
        does: 'say',
        words: 'The parcel is here, but one cup has a large chip in the rim.',
      },
      {
        by: 'buyer',
        hoursAgo: 599,
        does: 'dispute',
        words:
          'Dispute type: Item arrived damaged\n\nReason: One of the six cups is chipped\n\nDescription: The rim of one cup has a chip and a crack. The other pieces are fine, and I would like to keep the set.\n\nDesired outcome: Partial refund',
      },
      {
        by: 'buyer',
        hoursAgo: 598.9,
        does: 'show',
        picture: 'chipped-cup.svg',
        fileName: 'chipped-cup.jpg',
        words: 'The damaged cup',
      },
      {
        by: 'seller',
        hoursAgo: 590,
        does: 'state',
        words: 'I am sorry. The cup was fine when I packed it. A refund for one cup is fair.',
      },
      { by: 'seller', hoursAgo: 589, does: 'read' },
      {
        by: 'admin',
        hoursAgo: 580,
        does: 'rule',
        action: 'under_review',
        words: 'Dispute marked as under review by admin',
      },
      {
        by: 'admin',
        hoursAgo: 560,
        does: 'rule',
        action: 'refund_partial',
        refundCents: 30_00,
        words: 'The photo shows the damage and the seller agrees. $30.00 covers the cup and its saucer.',
      },
      {
        by: 'buyer',
        hoursAgo: 555,
        does: 'review',
        stars: 4,
        words: 'One cup arrived damaged, but we found a fair solution.',
      },
      {
        by: 'admin',
        hoursAgo: 540,
        does: 'give-goodwill',
        amountCents: 15_00,
        words: 'Our first answer took longer than we promised.',
      },
    ],
  },
  {
    // Completed; the payout was made by transfer. The admin is the buyer.
    about: 'barometer',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 610,
        does: 'say',
        words:
          'Hello Ingrid, I have a brass barometer from a fishing boat. I compared it with a new one: it is accurate.',
      },
      {
        by: 'seller',
        hoursAgo: 609.8,
        does: 'offer',
        amountCents: 95_00,
        words: 'Shipping to Norway is included.',
      },
      { by: 'admin', hoursAgo: 606, does: 'accept' },
      { by: 'admin', hoursAgo: 605, does: 'pay' },
      { by: 'admin', hoursAgo: 510, does: 'say', words: 'It hangs in my hallway now. Thank you, Tomasz.' },
      { by: 'admin', hoursAgo: 509.9, does: 'confirm' },
      {
        by: 'admin',
        hoursAgo: 509.8,
        does: 'review',
        stars: 4,
        tags: ['as_described', 'shipped_late'],
        words: 'A beautiful barometer. Delivery took two days longer than promised.',
      },
      { by: 'seller', hoursAgo: 508, does: 'read' },
      {
        by: 'seller',
        hoursAgo: 507.9,
        does: 'review',
        stars: 5,
        tags: ['friendly', 'quick_replies'],
        words: 'Patient while the parcel was late. I would sell to them again.',
      },
    ],
  },
  {
    // Completed. Here the demo's seller is the buyer; the payout was made by hand.
    about: 'bench-vise',
    with: 'liesel',
    steps: [
      {
        by: 'liesel',
        hoursAgo: 540,
        does: 'say',
        words: 'I have one from my nephew’s workshop. The jaws are 8 cm wide and close evenly.',
      },
      { by: 'liesel', hoursAgo: 539.9, does: 'offer', amountCents: 70_00 },
      { by: 'seller', hoursAgo: 536, does: 'accept' },
      { by: 'seller', hoursAgo: 535.9, does: 'pay', card: 'mastercard' },
      { by: 'seller', hoursAgo: 460, does: 'confirm' },
      {
        by: 'seller',
        hoursAgo: 459.9,
        does: 'review',
        stars: 5,
        words: 'Heavy, solid and clean. Shipped the same day.',
      },
      { by: 'admin', hoursAgo: 430, does: 'look-up-account' },
      { by: 'admin', hoursAgo: 429.9, does: 'mark-paid', reference: 'SEPA 1029-0007' },
    ],
  },
  {
    // Resolved - Buyer: everything was refunded.
    about: 'board-game',
    with: 'maria',
    steps: [
      {
        by: 'maria',
        hoursAgo: 465,
        does: 'say',
        words: 'I have this game from 1984. The box is worn, but I believe it is complete.',
      },
      { by: 'maria', hoursAgo: 464, does: 'offer', amountCents: 54_00 },
      { by: 'buyer', hoursAgo: 455, does: 'accept' },
      { by: 'buyer', hoursAgo: 454.9, does: 'pay' },
      {
        by: 'buyer',
        hoursAgo: 340,
        does: 'dispute',
        words:
          'Dispute type: Item not as described\n\nReason: Half of the cards are missing\n\nDescription: The game should have 96 cards. I counted 51. It cannot be played without the others.\n\nDesired outcome: Full refund',
      },
      {
        by: 'maria',
        hoursAgo: 330,
        does: 'state',
        words:
          'I checked my attic and found no more cards. I am sorry. Please refund Nadia. She can keep the game.',
      },
      {
        by: 'admin',
        hoursAgo: 318,
        does: 'rule',
        action: 'refund_full',
        words: 'Both parties agree that the game is not complete.',
      },
    ],
  },
  {
    // Completed and reviewed by both; the payout was made by transfer.
    about: 'coffee-grinder',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 445,
        does: 'say',
        words: 'I have a wall-mounted one with a glass jar. I cleaned and sharpened the mechanism.',
      },
      { by: 'seller', hoursAgo: 444.9, does: 'offer', amountCents: 48_00 },
      { by: 'joaquin', hoursAgo: 440, does: 'accept' },
      { by: 'joaquin', hoursAgo: 439.9, does: 'pay' },
      { by: 'joaquin', hoursAgo: 360, does: 'confirm' },
      {
        by: 'joaquin',
        hoursAgo: 359.9,
        does: 'review',
        stars: 5,
        tags: ['quick_replies', 'fair_price'],
        words: 'Grinds evenly and looks great in the bakery. Fast answers.',
      },
      { by: 'seller', hoursAgo: 358, does: 'review', stars: 4, tags: ['clear_request'] },
    ],
  },
  {
    // Completed without the buyer's confirmation; the payout was made by hand.
    about: 'embroidery-stand',
    with: 'helene',
    steps: [
      {
        by: 'helene',
        hoursAgo: 412,
        does: 'say',
        words:
          'I have a beech stand that clamps to a table. I used it for two years, and it is in good condition.',
      },
      { by: 'helene', hoursAgo: 411.9, does: 'offer', amountCents: 42_00, words: 'Includes shipping.' },
      { by: 'buyer', hoursAgo: 405, does: 'accept' },
      { by: 'buyer', hoursAgo: 404.9, does: 'pay' },
      {
        by: 'helene',
        hoursAgo: 390,
        does: 'say',
        words: 'I dropped it off at the post office this morning.',
      },
      { by: 'buyer', hoursAgo: 389, does: 'read' },
      { by: 'admin', hoursAgo: 212, does: 'look-up-account' },
      { by: 'admin', hoursAgo: 211.9, does: 'mark-paid', reference: 'SEPA 1107-0019' },
    ],
  },
  {
    // Under review, for a large amount.
    about: 'cello-case',
    with: 'yuto',
    steps: [
      {
        by: 'yuto',
        hoursAgo: 375,
        does: 'say',
        words: 'I have a carbon fibre case, 2.9 kg, from a musician at our hall. It fits a full-size cello.',
      },
      { by: 'yuto', hoursAgo: 374.9, does: 'offer', amountCents: 640_00, words: 'Air freight is included.' },
      { by: 'liesel', hoursAgo: 360, does: 'accept' },
      { by: 'liesel', hoursAgo: 330, does: 'pay' },
      {
        by: 'liesel',
        hoursAgo: 150,
        does: 'dispute',
        words:
          'Dispute type: Item not as described\n\nReason: The case weighs 4.1 kg\n\nDescription: The case is well made, but it weighs 4.1 kg instead of 2.9 kg. I asked for a light case because of my back.\n\nDesired outcome: Return and refund',
      },
      {
        by: 'yuto',
        hoursAgo: 141,
        does: 'state',
        words: 'I gave the weight from the manufacturer’s website. I did not weigh the case myself.',
      },
      {
        by: 'admin',
        hoursAgo: 74,
        does: 'rule',
        action: 'under_review',
        words: 'Dispute marked as under review by admin',
      },
    ],
  },
  {
    // Resolved - Seller, and the buyer appeals; the payout waits to be made by hand.
    about: 'wool-blanket',
    with: 'liesel',
    steps: [
      {
        by: 'liesel',
        hoursAgo: 322,
        does: 'say',
        words: 'I have a pure wool blanket in dark red, 150 by 200 cm, hardly used.',
      },
      { by: 'liesel', hoursAgo: 321, does: 'offer', amountCents: 76_00 },
      { by: 'buyer', hoursAgo: 302, does: 'accept' },
      { by: 'buyer', hoursAgo: 301, does: 'pay' },
      {
        by: 'buyer',
        hoursAgo: 155,
        does: 'dispute',
        words:
          'Dispute type: Item not received\n\nReason: The parcel has not arrived\n\nDescription: The blanket was shipped six days ago and has not arrived yet.\n\nDesired outcome: Full refund',
      },
      {
        by: 'liesel',
        hoursAgo: 146,
        does: 'state',
        words: 'The carrier says that the parcel was delivered to a neighbour. The photo shows the label.',
      },
      {
        by: 'liesel',
        hoursAgo: 145.9,
        does: 'show',
        picture: 'parcel-label.svg',
        fileName: 'parcel-label.jpg',
        words: 'The parcel with its tracking number',
      },
      {
        by: 'admin',
        hoursAgo: 120,
        does: 'rule',
        action: 'request_more_info',
        words: 'Nadia, could you please ask your neighbours about the parcel?',
      },
      {
        by: 'buyer',
        hoursAgo: 50,
        does: 'state',
        words: 'I asked on every floor. Nobody has it, and nobody signed for it.',
      },
      {
        by: 'mateus',
        hoursAgo: 30,
        does: 'rule',
        action: 'release_seller',
        words: 'The carrier confirms the delivery to the address of the label.',
      },
      {
        by: 'buyer',
        hoursAgo: 6,
        does: 'appeal',
        words:
          'The carrier’s page says house number 72. I live at number 27, so the parcel went to the wrong house.',
      },
    ],
  },
  {
    // Under review. The seller has proposed a settlement, which the buyer can accept.
    about: 'suitcase',
    with: 'sam',
    steps: [
      {
        by: 'sam',
        hoursAgo: 262,
        does: 'say',
        words: 'I have a brown leather suitcase from the 1960s, 60 cm wide. Both locks have keys.',
      },
      {
        by: 'sam',
        hoursAgo: 261,
        does: 'offer',
        amountCents: 130_00,
        words: 'Shipping from Toronto is included.',
      },
      { by: 'buyer', hoursAgo: 252, does: 'accept' },
      { by: 'buyer', hoursAgo: 251, does: 'pay' },
      {
        by: 'buyer',
        hoursAgo: 110,
        does: 'dispute',
        words:
          'Dispute type: Problem with the quality\n\nReason: One lock does not close\n\nDescription: The left lock opens by itself, and the lining smells of mould.\n\nAttempted resolution: I wrote to Sam and got no answer for three days.\n\nDesired outcome: Partial refund',
      },
      {
        by: 'sam',
        hoursAgo: 101,
        does: 'state',
        words: 'Sorry for the late answer, I was travelling. Both locks worked when I shipped the suitcase.',
      },
      {
        by: 'admin',
        hoursAgo: 98,
        does: 'rule',
        action: 'under_review',
        words: 'Dispute marked as under review by admin',
      },
      {
        by: 'admin',
        hoursAgo: 70,
        does: 'rule',
        action: 'request_more_info',
        words: 'Nadia, what would a repair of the lock cost?',
      },
      { by: 'admin', hoursAgo: 69.9, does: 'take-over' },
      {
        by: 'admin',
        hoursAgo: 69.8,
        does: 'note',
        words: 'Both are reasonable. If they cannot agree, refund the repair.',
      },
      {
        by: 'buyer',
        hoursAgo: 48,
        does: 'state',
        words: 'A locksmith asks for $45. The smell is almost gone after a week in the sun.',
      },
      { by: 'sam', hoursAgo: 22, does: 'propose', refundCents: 40_00 },
    ],
  },
  {
    // Completed and reviewed by both; the payout was made by transfer. Here the admin is the seller.
    about: 'kayak-paddle',
    with: 'admin',
    steps: [
      {
        by: 'admin',
        hoursAgo: 270,
        does: 'say',
        words: 'Hi Ruth, I have a two-piece carbon paddle, 220 cm. I moved to a shorter one last summer.',
      },
      {
        by: 'admin',
        hoursAgo: 269.9,
        does: 'offer',
        amountCents: 85_00,
        words: 'With its bag, shipped to Inverness.',
      },
      { by: 'ruth', hoursAgo: 266, does: 'accept' },
      { by: 'ruth', hoursAgo: 265.9, does: 'pay', card: 'mastercard' },
      { by: 'ruth', hoursAgo: 160, does: 'confirm' },
      {
        by: 'ruth',
        hoursAgo: 159.9,
        does: 'review',
        stars: 5,
        tags: ['as_described', 'friendly', 'shipped_fast'],
        words: 'Light, stiff and like new. A pleasure to deal with.',
      },
      {
        by: 'admin',
        hoursAgo: 158,
        does: 'review',
        stars: 5,
        tags: ['friendly', 'paid_promptly'],
        words: 'Knew exactly what she wanted. A quick and pleasant deal.',
      },
      { by: 'ruth', hoursAgo: 18, does: 'say', words: 'First trip with the paddle today. It is wonderful!' },
    ],
  },
  {
    // Completed. Here the demo's buyer is the seller; her payout waits until she sets up payouts.
    about: 'slide-projector',
    with: 'buyer',
    steps: [
      {
        by: 'buyer',
        hoursAgo: 185,
        does: 'say',
        words: 'I scanned all our family slides, so I no longer need my projector. It has a spare lamp.',
      },
      {
        by: 'buyer',
        hoursAgo: 184.9,
        does: 'offer',
        amountCents: 58_00,
        words: 'Two slide trays are included.',
      },
      { by: 'priya', hoursAgo: 180, does: 'accept' },
      { by: 'priya', hoursAgo: 179.9, does: 'pay' },
      {
        by: 'priya',
        hoursAgo: 48.2,
        does: 'say',
        words: 'The class loved the planets on the big wall. Thank you!',
      },
      { by: 'priya', hoursAgo: 48, does: 'confirm' },
      {
        by: 'priya',
        hoursAgo: 47.9,
        does: 'review',
        stars: 5,
        words: 'Bright picture, quiet fan, very friendly seller.',
      },
      { by: 'buyer', hoursAgo: 47, does: 'read' },
    ],
  },
  {
    // In person: the buyer has the code that the seller enters. The hold ends in 20 hours.
    about: 'cable-release',
    with: 'dale',
    steps: [
      {
        by: 'dale',
        hoursAgo: 156,
        does: 'say',
        words: 'I have the 40 cm version with the locking screw. It fits the OM-1.',
      },
      {
        by: 'dale',
        hoursAgo: 155.9,
        does: 'offer',
        amountCents: 24_00,
        words: 'I fly to Kuala Lumpur next week and can bring it.',
        delivery: 'in_person',
      },
      { by: 'buyer', hoursAgo: 149, does: 'accept' },
      { by: 'buyer', hoursAgo: 148, does: 'pay' },
      { by: 'dale', hoursAgo: 140, does: 'say', words: 'I land on Friday. Shall we meet at KL Sentral?' },
      {
        by: 'buyer',
        hoursAgo: 139,
        does: 'say',
        words: 'Great, thank you. I will show you the code when we meet.',
      },
    ],
  },
  {
    // A new dispute, with a photo; the seller has not answered yet.
    about: 'pendulum-clock',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 150,
        does: 'say',
        words: 'I have a walnut wall clock, 62 cm tall. It runs for eight days and strikes the hours.',
      },
      { by: 'buyer', hoursAgo: 148.5, does: 'say', words: 'Could you ship it safely with the glass door?' },
      {
        by: 'seller',
        hoursAgo: 147,
        does: 'offer',
        amountCents: 185_00,
        words: 'Yes, in a wooden crate. Insured shipping is included.',
        delivery: 'shipping',
      },
      { by: 'buyer', hoursAgo: 146, does: 'accept' },
      {
        by: 'buyer',
        hoursAgo: 145.5,
        does: 'pay',
        address: { line1: '27 Jalan Telawi', city: 'Kuala Lumpur', postalCode: '59100', country: 'MY' },
      },
      {
        by: 'seller',
        hoursAgo: 130.1,
        does: 'ship',
        carrier: 'dhl',
        trackingNumber: '00340434161094',
        words: 'In a wooden crate, this side up.',
      },
      {
        by: 'seller',
        hoursAgo: 130,
        does: 'say',
        words: 'The clock is on its way. Delivery takes about five days.',
      },
      {
        by: 'buyer',
        hoursAgo: 20.5,
        does: 'say',
        words: 'The clock arrived today, but the glass of the door is broken.',
      },
      { by: 'seller', hoursAgo: 20.3, does: 'deliver' },
      {
        by: 'buyer',
        hoursAgo: 20,
        does: 'dispute',
        words:
          'Dispute type: Item arrived damaged\n\nReason: The glass door is broken\n\nDescription: The crate was dented on one side and the glass door is in pieces. The clock itself runs.\n\nDesired outcome: Partial refund',
      },
      {
        by: 'buyer',
        hoursAgo: 19.9,
        does: 'show',
        picture: 'broken-glass.svg',
        fileName: 'broken-glass-door.jpg',
        words: 'The clock right after unpacking',
      },
    ],
  },
  {
    // A bank chargeback: the bank decides.
    about: 'railway-lantern',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 118,
        does: 'say',
        words: 'I have a railway lantern with red and green glass, from a station near Gdynia.',
      },
      { by: 'seller', hoursAgo: 117.9, does: 'offer', amountCents: 110_00 },
      { by: 'sam', hoursAgo: 112, does: 'accept' },
      { by: 'sam', hoursAgo: 111.9, does: 'pay' },
      { by: 'seller', hoursAgo: 96, does: 'say', words: 'Shipped today with tracking.' },
      { by: 'sam', hoursAgo: 28, does: 'charge-back' },
    ],
  },
  {
    // In escrow for three days.
    about: 'darkroom-timer',
    with: 'yuto',
    steps: [
      {
        by: 'yuto',
        hoursAgo: 88,
        does: 'say',
        words: 'I have a timer with large glowing hands. It counts down from one hour and is accurate.',
      },
      {
        by: 'yuto',
        hoursAgo: 87.9,
        does: 'offer',
        amountCents: 64_00,
        words: 'Shipping from Japan is included.',
        delivery: 'shipping',
      },
      { by: 'buyer', hoursAgo: 73, does: 'accept' },
      {
        by: 'buyer',
        hoursAgo: 72,
        does: 'pay',
        card: 'mastercard',
        address: { line1: '27 Jalan Telawi', city: 'Kuala Lumpur', postalCode: '59100', country: 'MY' },
      },
      { by: 'yuto', hoursAgo: 60.1, does: 'ship', carrier: 'dhl', trackingNumber: 'JD014600006281' },
      {
        by: 'yuto',
        hoursAgo: 60,
        does: 'say',
        words: 'It left Kanazawa today and should arrive within a week.',
      },
      { by: 'buyer', hoursAgo: 59, does: 'read' },
    ],
  },
  {
    // Just paid: the seller has to ship.
    about: 'type-drawer',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 31,
        does: 'say',
        words: 'I have two drawers from a printing house, 60 by 40 cm. One is free of stains.',
      },
      { by: 'seller', hoursAgo: 30.9, does: 'offer', amountCents: 68_00, delivery: 'shipping' },
      { by: 'helene', hoursAgo: 6, does: 'accept' },
      {
        by: 'helene',
        hoursAgo: 5,
        does: 'pay',
        address: { line1: '14 rue de Bourgogne', city: 'Orléans', postalCode: '45000', country: 'FR' },
      },
      { by: 'helene', hoursAgo: 4.9, does: 'say', words: 'I have just paid. Please send the clean one.' },
    ],
  },
  {
    // Delivered, and waiting for the buyer's confirmation.
    about: 'gearshift-bush',
    with: 'seller',
    steps: [
      {
        by: 'seller',
        hoursAgo: 118.5,
        does: 'offer',
        amountCents: 29_00,
        words: 'Four bushes, still in their paper bag.',
        delivery: 'shipping',
      },
      { by: 'dale', hoursAgo: 116.5, does: 'accept' },
      {
        by: 'dale',
        hoursAgo: 116,
        does: 'pay',
        address: {
          line1: '310 East Superior Street',
          city: 'Duluth',
          region: 'MN',
          postalCode: '55802',
          country: 'US',
        },
      },
      { by: 'seller', hoursAgo: 99, does: 'ship', carrier: 'ups', trackingNumber: '1Z204E380338943508' },
      { by: 'seller', hoursAgo: 22, does: 'deliver' },
    ],
  },
  {
    // Cancelled by the seller: the buyer has the money back, and the request is open again.
    about: 'wooden-racket',
    with: 'yuto',
    steps: [
      { by: 'yuto', hoursAgo: 96.5, does: 'offer', amountCents: 42_00, delivery: 'shipping' },
      { by: 'joaquin', hoursAgo: 95, does: 'accept' },
      {
        by: 'joaquin',
        hoursAgo: 94.5,
        does: 'pay',
        address: {
          line1: 'Carrer de Cadis 21',
          city: 'Valencia',
          region: 'Valencia',
          postalCode: '46006',
          country: 'ES',
        },
      },
      {
        by: 'yuto',
        hoursAgo: 80,
        does: 'cancel',
        words: 'The frame has a crack that I had not seen. I am sorry.',
      },
    ],
  },
  {
    // Pending: the buyer's bank has asked her to approve the payment.
    about: 'indigo-cotton',
    with: 'priya',
    steps: [
      {
        by: 'priya',
        hoursAgo: 17,
        does: 'say',
        words: 'My uncle prints fabric by hand. I can send five metres of dark indigo with white leaves.',
      },
      {
        by: 'priya',
        hoursAgo: 16.9,
        does: 'offer',
        amountCents: 72_00,
        words: 'Five metres, shipped from Bengaluru.',
      },
      { by: 'buyer', hoursAgo: 1, does: 'accept' },
      { by: 'buyer', hoursAgo: 0.7, does: 'pay', card: 'unapproved' },
    ],
  },
] as const satisfies readonly DemoConversation[]
