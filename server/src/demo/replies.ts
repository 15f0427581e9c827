/** Saved replies for disputes. */
export const replies = [
  {
    title: 'Ask for photos',
    text: 'Hello {buyer}, please add two photos of “{item}” to the dispute: one of the whole item and one of the damage. {seller} and we can see them there.',
  },
  {
    title: 'Parcel lost',
    text: 'The carrier confirms that the parcel is lost. {buyer} gets {amount} back. The transaction number is {transaction}.',
  },
] as const
