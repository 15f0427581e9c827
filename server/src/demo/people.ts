import type { RequestFilters } from '@sought/contract/request-filters'

/** A person in the demo market. `avatar` names a file in pictures/avatars. */
export type DemoPerson = {
  key: string
  firstName: string
  lastName: string
  email: string
  bio: string
  location: string
  avatar: string | null
  /** The seller's keywords and categories for matching requests. */
  selling?: { keywords: string[]; categories: string[] }
  savedSearches?: RequestFilters[]
  /** An admin without a demo sign-in. The demo's admin decides appeals against this admin's rulings. */
  isColleague?: true
}

export const people = [
  {
    key: 'buyer',
    firstName: 'Nadia',
    lastName: 'Rahman',
    email: 'buyer@demo.sought.example',
    bio: 'I am a dental nurse. In my free time I finish what my grandmother started: quilts, photo albums and collections.',
    location: 'Kuala Lumpur, Malaysia',
    avatar: 'nadia.svg',
  },
  {
    key: 'seller',
    firstName: 'Tomasz',
    lastName: 'Wilk',
    email: 'seller@demo.sought.example',
    bio: 'I clear attics and workshops along the coast and repair what I find. I test everything before I ship it, and I pack carefully.',
    location: 'Gdańsk, Poland',
    avatar: 'tomasz.svg',
    selling: { keywords: ['lamp', 'sewing machine', 'camera'], categories: ['Music'] },
    savedSearches: [
      { search: 'clock', minBudget: 20 },
      { category: 'Home & Garden', hasImage: true },
    ],
  },
  {
    key: 'admin',
    firstName: 'Ingrid',
    lastName: 'Solberg',
    email: 'admin@demo.sought.example',
    bio: 'I handle the disputes here. Before that I was a handball referee for nineteen years.',
    location: 'Bergen, Norway',
    avatar: 'ingrid.svg',
  },
  {
    key: 'moderator',
    firstName: 'Amara',
    lastName: 'Diallo',
    email: 'moderator@demo.sought.example',
    bio: 'I read what you report. I used to teach at a primary school, so I am patient.',
    location: 'Dakar, Senegal',
    avatar: null,
  },
  {
    key: 'mateus',
    firstName: 'Mateus',
    lastName: 'Ferraz',
    email: 'mateus@demo.sought.example',
    bio: 'I share the disputes with Ingrid.',
    location: 'Recife, Brazil',
    avatar: null,
    isColleague: true,
  },
  {
    key: 'helene',
    firstName: 'Hélène',
    lastName: 'Aubry',
    email: 'helene@demo.sought.example',
    bio: 'Bookbinder. I am learning the Japanese tea ceremony.',
    location: 'Orléans, France',
    avatar: 'helene.svg',
  },
  {
    key: 'joaquin',
    firstName: 'Joaquín',
    lastName: 'Prieto',
    email: 'joaquin@demo.sought.example',
    bio: 'I am a baker, so I often answer at four in the morning. I play the accordion and deliver bread by scooter.',
    location: 'Valencia, Spain',
    avatar: 'joaquin.svg',
  },
  {
    key: 'priya',
    firstName: 'Priya',
    lastName: 'Venkataraman',
    email: 'priya@demo.sought.example',
    bio: 'I teach physics to fifteen-year-olds and look for things that make them curious.',
    location: 'Bengaluru, India',
    avatar: 'priya.svg',
  },
  {
    key: 'maria',
    firstName: 'Maria Alexandra Theodora',
    lastName: 'Konstantinidou-Papathanasopoulou',
    email: 'maria@demo.sought.example',
    bio: 'Retired surveyor. I hike on Sundays and look after my balcony garden the rest of the week.',
    location: 'Thessaloniki, Greece',
    avatar: 'maria.svg',
  },
  {
    key: 'yuto',
    firstName: 'Yūto',
    lastName: 'Hayashi',
    email: 'yuto@demo.sought.example',
    bio: 'Sound engineer at a small concert hall. I like machines that do one thing well.',
    location: 'Kanazawa, Japan',
    avatar: 'yuto.svg',
  },
  {
    key: 'ruth',
    firstName: 'Ruth',
    lastName: 'Mackay',
    email: 'ruth@demo.sought.example',
    bio: 'Retired ferry pilot. I swim in the sea most mornings. I pay on the day I accept an offer.',
    location: 'Inverness, Scotland',
    avatar: 'ruth.svg',
  },
  {
    key: 'sam',
    firstName: 'Sam',
    lastName: 'Okafor',
    email: 'sam@demo.sought.example',
    bio: 'I have two kids, a brass band and little storage space, so I only ask for things I really need.',
    location: 'Toronto, Canada',
    avatar: 'sam.svg',
  },
  {
    key: 'dale',
    firstName: 'Dale',
    lastName: 'Whitcomb',
    email: 'dale@demo.sought.example',
    bio: 'I restore French cars, even in the Minnesota winter.',
    location: 'Duluth, Minnesota, USA',
    avatar: null,
  },
  {
    key: 'liesel',
    firstName: 'Liesel',
    lastName: 'Brandt',
    email: 'liesel@demo.sought.example',
    bio: 'Cellist in an orchestra. My nephew and I are restoring a VW Beetle.',
    location: 'Freiburg, Germany',
    avatar: null,
  },
] as const satisfies readonly DemoPerson[]
