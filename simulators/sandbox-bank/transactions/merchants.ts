/**
 * The shops of the sandbox's customers. `category` is a name of native-api 4.11, or null where
 * a bank could not know it.
 */
export interface Merchant {
  name: string;
  category: string | null;
  /** ISO 18245; null for a company that takes no cards. */
  mcc: string | null;
  /** A card payment happens at a time of day; the other two are booked without a time. */
  channel: 'card' | 'online' | 'direct_debit';
  /** Range of one payment, in cents. */
  cents: readonly [lowest: number, highest: number];
  /** Opening hours of the shop. */
  hours: readonly [opens: number, closes: number];
}

const merchantOf =
  (channel: Merchant['channel']) =>
  (
    name: string,
    category: string | null,
    mcc: string | null,
    cents: Merchant['cents'],
    hours: Merchant['hours'] = [9, 20],
  ): Merchant => ({ name, category, mcc, channel, cents, hours });
const card = merchantOf('card');
const online = merchantOf('online');
const directDebit = merchantOf('direct_debit');

export const MERCHANTS: readonly [Merchant, ...Merchant[]] = [
  card('Corner Cafe', 'food_and_drink.coffee_shops', '5814', [320, 1150], [7, 11]),
  card('Harvest Market', 'food_and_drink.groceries', '5411', [1240, 11_890], [8, 21]),
  card('Green Basket', 'food_and_drink.groceries', '5411', [890, 8450], [8, 21]),
  card('Taqueria Luna', 'food_and_drink.restaurants', '5812', [1450, 6480], [11, 21]),
  card('Burger Junction', 'food_and_drink.fast_food', '5814', [780, 2390], [11, 22]),
  card('Night Owl Mart', 'food_and_drink.convenience_stores', '5499', [250, 2180], [6, 22]),
  card('The Copper Tap', 'food_and_drink.bars', '5813', [900, 5200], [17, 22]),
  card('Miller Fuel', 'transport.fuel', '5541', [2150, 7240], [6, 21]),
  card('City Transit', 'transport.public_transport', '4111', [225, 1100], [6, 21]),
  online('Swift Cab', 'transport.taxi', '4121', [840, 4690]),
  card('Parkwise Garage', 'transport.parking_and_tolls', '7523', [300, 2400]),
  card('Thread and Needle', 'shopping.clothing', '5651', [1999, 14_999]),
  online('Bazaar Online', 'shopping.online_marketplace', '5310', [799, 15_650]),
  card('Volt Electronics', 'shopping.electronics', '5732', [1499, 32_900]),
  card('Oak and Nail Hardware', 'home.maintenance', '5251', [640, 11_275], [8, 18]),
  card('Paws and Claws', 'home.pets', '5995', [1120, 6540]),
  directDebit('Prairie Power and Light', 'utilities.energy', null, [4820, 18_640]),
  directDebit('Clearwater Utility', 'utilities.water', null, [2240, 7120]),
  directDebit('Bluebird Mobile', 'media_and_telecoms.internet_and_phone', null, [3500, 8500]),
  online('Reelhouse', 'media_and_telecoms.streaming', '4899', [899, 1799]),
  card('Chapter House Books', 'entertainment.books', '5942', [899, 5400]),
  card('Grand Cinema', 'entertainment.cinema', '7832', [1250, 4850], [12, 21]),
  card('Main Street Pharmacy', 'health_and_personal_care.pharmacy', '5912', [450, 6875]),
  directDebit('Iron Works Gym', 'health_and_personal_care.fitness', null, [2999, 5999]),
  directDebit('Guardian Auto Insurance', 'insurance.vehicle', null, [7840, 16_420]),
  online('Open Hands Relief', 'charity.donation', '8398', [1000, 10_000]),
  card('Mkt 2291', null, null, [500, 9000]),
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
