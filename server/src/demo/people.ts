/** Somebody who lives in the demo marketplace. `avatar` names a file in pictures/avatars. */
export type DemoPerson = {
  key: string
  firstName: string
  lastName: string
  email: string
  bio: string
  location: string
  avatar: string | null
}

export const people = [
  {
    key: 'buyer',
    firstName: 'Nadia',
    lastName: 'Rahman',
    email: 'buyer@demo.sought.example',
    bio: 'Dental nurse by day. I finish what my grandmother started: her quilts, her camera albums, her half of every pair.',
    location: 'Kuala Lumpur, Malaysia',
    avatar: 'nadia.svg',
  },
  {
    key: 'seller',
    firstName: 'Tomasz',
    lastName: 'Wilk',
    email: 'seller@demo.sought.example',
    bio: 'I clear attics and workshops along the coast and repair what deserves it. Everything I send is tested first, and I pack with too much paper.',
    location: 'Gdańsk, Poland',
    avatar: 'tomasz.svg',
  },
  {
    key: 'admin',
    firstName: 'Ingrid',
    lastName: 'Solberg',
    email: 'admin@demo.sought.example',
    bio: 'I read the disputes here. Before that I refereed handball for nineteen years.',
    location: 'Bergen, Norway',
    avatar: 'ingrid.svg',
  },
  {
    key: 'helene',
    firstName: 'Hélène',
    lastName: 'Aubry',
    email: 'helene@demo.sought.example',
    bio: 'Bookbinder. Learning tea ceremony, slowly, on my knees.',
    location: 'Orléans, France',
    avatar: 'helene.svg',
  },
  {
    key: 'joaquin',
    firstName: 'Joaquín',
    lastName: 'Prieto',
    email: 'joaquin@demo.sought.example',
    bio: 'Baker, so I answer messages at four in the morning. The accordion is for the street, the scooter for the bread.',
    location: 'Valencia, Spain',
    avatar: 'joaquin.svg',
  },
  {
    key: 'priya',
    firstName: 'Priya',
    lastName: 'Venkataraman',
    email: 'priya@demo.sought.example',
    bio: 'I teach physics to fifteen-year-olds and keep a list of things that would make them look up.',
    location: 'Bengaluru, India',
    avatar: 'priya.svg',
  },
  {
    key: 'maria',
    firstName: 'Maria Alexandra Theodora',
    lastName: 'Konstantinidou-Papathanasopoulou',
    email: 'maria@demo.sought.example',
    bio: 'Retired surveyor. Hills on Sundays, balcony garden the rest of the week.',
    location: 'Thessaloniki, Greece',
    avatar: 'maria.svg',
  },
  {
    key: 'yuto',
    firstName: 'Yūto',
    lastName: 'Hayashi',
    email: 'yuto@demo.sought.example',
    bio: 'Sound engineer at a small hall. I like machines with one job.',
    location: 'Kanazawa, Japan',
    avatar: 'yuto.svg',
  },
  {
    key: 'ruth',
    firstName: 'Ruth',
    lastName: 'Mackay',
    email: 'ruth@demo.sought.example',
    bio: 'Ferry pilot, retired, still in the water most mornings. I pay the day I say yes.',
    location: 'Inverness, Scotland',
    avatar: 'ruth.svg',
  },
  {
    key: 'sam',
    firstName: 'Sam',
    lastName: 'Okafor',
    email: 'sam@demo.sought.example',
    bio: 'Two kids, one brass band, no storage space. I only ask for things I have measured a shelf for.',
    location: 'Toronto, Canada',
    avatar: 'sam.svg',
  },
  {
    key: 'dale',
    firstName: 'Dale',
    lastName: 'Whitcomb',
    email: 'dale@demo.sought.example',
    bio: 'French cars in a Minnesota winter. Somebody has to.',
    location: 'Duluth, Minnesota, USA',
    avatar: null,
  },
  {
    key: 'liesel',
    firstName: 'Liesel',
    lastName: 'Brandt',
    email: 'liesel@demo.sought.example',
    bio: 'Cellist, second desk. Restoring a Beetle with my nephew, who is better at it than I am.',
    location: 'Freiburg, Germany',
    avatar: null,
  },
] as const satisfies readonly DemoPerson[]
