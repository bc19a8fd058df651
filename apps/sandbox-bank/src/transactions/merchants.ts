/**
 * Where the customers of the sandbox spend. `category` is a name of native-api 4.11, or null where
 * a bank could not know it.
 */
export interface Merchant {
  name: string;
  category: string | null;
  /** A card payment happens at a time of day; the other two are booked without a time. */
  channel: 'card' | 'online' | 'direct_debit';
  /** Range of one payment, in cents. */
  cents: readonly [lowest: number, highest: number];
  /** Opening hours of the shop. */
  hours: readonly [opens: number, closes: number];
}

const DAYTIME = [9, 20] as const;

export const MERCHANTS: readonly [Merchant, ...Merchant[]] = [
  {
    name: 'Corner Cafe',
    category: 'food_and_drink.coffee_shops',
    channel: 'card',
    cents: [320, 1150],
    hours: [7, 11],
  },
  {
    name: 'Harvest Market',
    category: 'food_and_drink.groceries',
    channel: 'card',
    cents: [1240, 11_890],
    hours: [8, 21],
  },
  {
    name: 'Green Basket',
    category: 'food_and_drink.groceries',
    channel: 'card',
    cents: [890, 8450],
    hours: [8, 21],
  },
  {
    name: 'Taqueria Luna',
    category: 'food_and_drink.restaurants',
    channel: 'card',
    cents: [1450, 6480],
    hours: [11, 21],
  },
  {
    name: 'Burger Junction',
    category: 'food_and_drink.fast_food',
    channel: 'card',
    cents: [780, 2390],
    hours: [11, 22],
  },
  {
    name: 'Night Owl Mart',
    category: 'food_and_drink.convenience_stores',
    channel: 'card',
    cents: [250, 2180],
    hours: [6, 22],
  },
  {
    name: 'The Copper Tap',
    category: 'food_and_drink.bars',
    channel: 'card',
    cents: [900, 5200],
    hours: [17, 22],
  },
  {
    name: 'Miller Fuel',
    category: 'transport.fuel',
    channel: 'card',
    cents: [2150, 7240],
    hours: [6, 21],
  },
  {
    name: 'City Transit',
    category: 'transport.public_transport',
    channel: 'card',
    cents: [225, 1100],
    hours: [6, 21],
  },
  {
    name: 'Swift Cab',
    category: 'transport.taxi',
    channel: 'online',
    cents: [840, 4690],
    hours: DAYTIME,
  },
  {
    name: 'Parkwise Garage',
    category: 'transport.parking_and_tolls',
    channel: 'card',
    cents: [300, 2400],
    hours: DAYTIME,
  },
  {
    name: 'Thread and Needle',
    category: 'shopping.clothing',
    channel: 'card',
    cents: [1999, 14_999],
    hours: DAYTIME,
  },
  {
    name: 'Bazaar Online',
    category: 'shopping.online_marketplace',
    channel: 'online',
    cents: [799, 15_650],
    hours: DAYTIME,
  },
  {
    name: 'Volt Electronics',
    category: 'shopping.electronics',
    channel: 'card',
    cents: [1499, 32_900],
    hours: DAYTIME,
  },
  {
    name: 'Oak and Nail Hardware',
    category: 'home.maintenance',
    channel: 'card',
    cents: [640, 11_275],
    hours: [8, 18],
  },
  {
    name: 'Paws and Claws',
    category: 'home.pets',
    channel: 'card',
    cents: [1120, 6540],
    hours: DAYTIME,
  },
  {
    name: 'Prairie Power and Light',
    category: 'utilities.energy',
    channel: 'direct_debit',
    cents: [4820, 18_640],
    hours: DAYTIME,
  },
  {
    name: 'Clearwater Utility',
    category: 'utilities.water',
    channel: 'direct_debit',
    cents: [2240, 7120],
    hours: DAYTIME,
  },
  {
    name: 'Bluebird Mobile',
    category: 'media_and_telecoms.internet_and_phone',
    channel: 'direct_debit',
    cents: [3500, 8500],
    hours: DAYTIME,
  },
  {
    name: 'Reelhouse',
    category: 'media_and_telecoms.streaming',
    channel: 'online',
    cents: [899, 1799],
    hours: DAYTIME,
  },
  {
    name: 'Chapter House Books',
    category: 'entertainment.books',
    channel: 'card',
    cents: [899, 5400],
    hours: DAYTIME,
  },
  {
    name: 'Grand Cinema',
    category: 'entertainment.cinema',
    channel: 'card',
    cents: [1250, 4850],
    hours: [12, 21],
  },
  {
    name: 'Main Street Pharmacy',
    category: 'health_and_personal_care.pharmacy',
    channel: 'card',
    cents: [450, 6875],
    hours: DAYTIME,
  },
  {
    name: 'Iron Works Gym',
    category: 'health_and_personal_care.fitness',
    channel: 'direct_debit',
    cents: [2999, 5999],
    hours: DAYTIME,
  },
  {
    name: 'Guardian Auto Insurance',
    category: 'insurance.vehicle',
    channel: 'direct_debit',
    cents: [7840, 16_420],
    hours: DAYTIME,
  },
  {
    name: 'Open Hands Relief',
    category: 'charity.donation',
    channel: 'online',
    cents: [1000, 10_000],
    hours: DAYTIME,
  },
  { name: 'Mkt 2291', category: null, channel: 'card', cents: [500, 9000], hours: DAYTIME },
];

export const EMPLOYERS: readonly [string, ...string[]] = [
  'Northwind Logistics',
  'Brightside Health',
  'Lakeshore Schools',
  'Summit Software',
  'Millbrook Manufacturing',
  'Riverbend Hotels',
];

export const TOWNS: readonly [string, ...string[]] = [
  'Millbrook OH',
  'Cedar Falls IA',
  'Ashford CT',
  'Lakewood CO',
  'Fairview TN',
  'Granite Bay CA',
  'Westfield NJ',
  'Bellmont WA',
];
