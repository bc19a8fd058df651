import { Pressable, Text } from 'react-native';
import { look } from './look';

interface ButtonProps {
  onPress: () => void;
  disabled?: boolean;
  children: string;
}

export function Button({ onPress, disabled = false, children }: ButtonProps) {
  return (
    <Pressable
      accessibilityRole="button"
      disabled={disabled}
      onPress={onPress}
      style={[look.button, disabled && look.disabled]}
    >
      <Text style={look.buttonText}>{children}</Text>
    </Pressable>
  );
}
