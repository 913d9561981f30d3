;; Dot products of one query with many rows, 16 numbers at a time. `scan-kernel-bytes.ts` holds what `wat2wasm` makes of this file:
;;   npx -p wabt@1.0.39 wat2wasm --enable-threads scan-kernel.wat -o scan-kernel.wasm && base64 -w 0 scan-kernel.wasm
;; All places are byte offsets into the shared memory; `width` (numbers a row) is a multiple of 16.
(module
  (import "reenact" "memory" (memory 1 65536 shared))

  ;; Rows of int8, query of int16, sums of int32: exact while width * 127 * max|query| < 2^31.
  (func (export "int8") (param $row i32) (param $query i32) (param $out i32) (param $count i32) (param $width i32)
    (local $end i32) (local $place i32) (local $left v128) (local $right v128) (local $codes v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $left (v128.const i32x4 0 0 0 0))
        (local.set $right (v128.const i32x4 0 0 0 0))
        (local.set $place (i32.const 0))
        (loop $numbers
          (local.set $codes (v128.load (i32.add (local.get $row) (local.get $place))))
          (local.set $left (i32x4.add (local.get $left)
            (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $codes))
              (v128.load (i32.add (local.get $query) (i32.shl (local.get $place) (i32.const 1)))))))
          (local.set $right (i32x4.add (local.get $right)
            (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $codes))
              (v128.load offset=16 (i32.add (local.get $query) (i32.shl (local.get $place) (i32.const 1)))))))
          (local.set $place (i32.add (local.get $place) (i32.const 16)))
          (br_if $numbers (i32.lt_u (local.get $place) (local.get $width))))
        (local.set $left (i32x4.add (local.get $left) (local.get $right)))
        (i32.store (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $left)) (i32x4.extract_lane 1 (local.get $left)))
            (i32.add (i32x4.extract_lane 2 (local.get $left)) (i32x4.extract_lane 3 (local.get $left)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $row (i32.add (local.get $row) (local.get $width)))
        (br $rows))))

  ;; Rows, query and sums of float32.
  (func (export "float32") (param $row i32) (param $query i32) (param $out i32) (param $count i32) (param $width i32)
    (local $end i32) (local $place i32) (local $left v128) (local $right v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $width (i32.shl (local.get $width) (i32.const 2)))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $left (v128.const f32x4 0 0 0 0))
        (local.set $right (v128.const f32x4 0 0 0 0))
        (local.set $place (i32.const 0))
        (loop $numbers
          (local.set $left (f32x4.add (local.get $left)
            (f32x4.mul (v128.load (i32.add (local.get $row) (local.get $place)))
              (v128.load (i32.add (local.get $query) (local.get $place))))))
          (local.set $right (f32x4.add (local.get $right)
            (f32x4.mul (v128.load offset=16 (i32.add (local.get $row) (local.get $place)))
              (v128.load offset=16 (i32.add (local.get $query) (local.get $place))))))
          (local.set $place (i32.add (local.get $place) (i32.const 32)))
          (br_if $numbers (i32.lt_u (local.get $place) (local.get $width))))
        (local.set $left (f32x4.add (local.get $left) (local.get $right)))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $left)) (f32x4.extract_lane 1 (local.get $left)))
            (f32.add (f32x4.extract_lane 2 (local.get $left)) (f32x4.extract_lane 3 (local.get $left)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $row (i32.add (local.get $row) (local.get $width)))
        (br $rows)))))
